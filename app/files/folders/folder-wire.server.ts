import { z } from "zod";
import { opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import { type Folder, type FolderTree, toItemPath } from "#domain/files/folders/folder-tree.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

export function toWireFolder({ id, parent_id, name, created_at, updated_at }: Folder, tree: FolderTree) {
  return writeTimestamps({
    id,
    parent_id,
    name,
    path: toItemPath(tree, parent_id, name),
    created_at,
    updated_at,
  });
}

export const folderShape = z
  .object({
    id: opaqueId,
    parent_id: opaqueId.nullable(),
    name: z.string(),
    path: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Folder" });
