/** What SQLite says of a disk, in MongoDB's words. */
import { EngineError } from "../values/errors.ts";

const SQLITE_FULL = 13;
const SQLITE_READONLY = 8;
export const DISK_FULL = 14031;

/** Everything that was written in the same turn is rolled back: no statement of it may be reported as done. */
export class StorageFailure extends EngineError {}

export function toStorageFailure(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  const { errcode = 0, message } = cause as { errcode?: number; message: string };
  if ((errcode & 0xff) === SQLITE_FULL)
    return new StorageFailure(DISK_FULL, "The disk is full: nothing was written");
  if ((errcode & 0xff) === SQLITE_READONLY)
    return new StorageFailure(20, "The data directory is read-only: nothing was written");
  return new StorageFailure(8, `Storage failure: ${message}`);
}
