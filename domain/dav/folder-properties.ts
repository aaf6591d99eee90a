import { DavProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { changeProperties, checkProperties, type PropertyChange } from "#domain/dav/property-changes.ts";
import {
  ALL_FOLDER_PROPERTIES_MAX_BYTES,
  FOLDER_PROPERTIES_MAX_BYTES,
  measureProperties,
} from "#domain/files/dead-property.ts";
import { type Folder, type FolderTree, findFolder } from "#domain/files/folders/folder-tree.ts";
import { Refusal } from "#domain/refusal.ts";

/** Returns the folder with changed properties. All folders of a person share a limit of bytes. */
export function setFolderProperties(
  tree: FolderTree,
  id: string,
  changes: readonly PropertyChange[],
): Folder | DavProblem {
  const folder = findFolder(tree, id);
  if (!folder) return toProblem(Refusal("folder_not_found", { folder_id: id }));
  const dead_properties = changeProperties(folder.dead_properties ?? [], changes);
  const problem = checkProperties(dead_properties, FOLDER_PROPERTIES_MAX_BYTES);
  if (problem) return problem;
  const others = [...tree.values()].filter((other) => other.id !== id);
  const bytes = others.reduce((sum, other) => sum + measureProperties(other.dead_properties ?? []), 0);
  if (bytes + measureProperties(dead_properties) > ALL_FOLDER_PROPERTIES_MAX_BYTES)
    return DavProblem(507, "Folders keep no more properties.");
  return { ...folder, dead_properties };
}
