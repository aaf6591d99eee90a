import { readError } from "#platform/read-error.ts";

/** The reason of a failed backup or restore, as a sentence for the person. */
export class BackupError extends Error {
  override name = "BackupError";
}

const OUT_OF_DISK_SPACE = "14031";
const COMMAND_NOT_FOUND = "59";

/** Translates faults of disks and servers; other faults are returned unchanged. */
export function toBackupError(error: unknown, file: string): unknown {
  const { code } = readError(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === OUT_OF_DISK_SPACE)
    return new BackupError(
      `The disk is full: no backup was written to ${file}. It needs room for a copy of the data in DATA_DIR and for the compressed file.`,
    );
  if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    return new BackupError(`${file} cannot be written: its folder is read-only or belongs to somebody else.`);
  if (code === "ENOENT" || code === "ENOTDIR")
    return new BackupError(`${file} cannot be written: its folder does not exist.`);
  if (code === COMMAND_NOT_FOUND)
    return new BackupError(
      "Only the embedded documents can be backed up this way. Back a MongoDB up with its own tools, such as mongodump.",
    );
  return error;
}
