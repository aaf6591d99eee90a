import { z } from "zod";
import { FILE_NAME_MAX } from "#domain/files/file.ts";
import { checkFolderName, isFolderId } from "#domain/files/folders/folder-tree.ts";
import { withRule } from "#domain/schema.ts";

export const folderId = z.string().refine(isFolderId, { message: "is not a folder id" });

const name = withRule(z.string(), checkFolderName).meta({ minLength: 1, maxLength: FILE_NAME_MAX });

/** A new folder; without a parent it is at the root. */
export const newFolder = z.strictObject({ name, parent_id: folderId.nullable().optional() });

/** Changes to a folder. Absent fields stay as they are. */
export const folderChanges = newFolder.partial();
