import { type FileHandle, open, rm } from "node:fs/promises";
import { Binary, type Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isStorageFault } from "#db/core/faults.server.ts";
import type { LibraryImportChunkDoc } from "#db/library-zip/documents.ts";
import { DAY_MS } from "#domain/time/durations.ts";

export const ARCHIVE_KEPT_MS = DAY_MS;
const CHUNK_BYTES = 1024 * 1024;
/** The limit of all people together. More is refused until some zips are imported or a day old. */
const CHUNKS_MAX = 4_096;

type Archive = { user_id: string; import_id: string };
const chunkId = ({ import_id }: Archive, number: number) => `${import_id}.${number}`;

/** False if the zips of all people together leave no room for another one. */
export async function hasRoomForArchive(db: Db): Promise<boolean> {
  return (await db.library_import_chunks.estimatedDocumentCount()) < CHUNKS_MAX;
}

export type ArchiveWriter = {
  /** Stores the bytes. Those that do not fill a piece wait for more or for the end. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** True if the store failed, and not the sender of the zip. */
  hasFailed(): boolean;
};

/** Never holds more than one piece. `onPiece` is called for each and may throw to stop. */
export function createArchiveWriter(
  db: Db,
  archive: Archive,
  now: Date,
  onPiece: () => Promise<void>,
): ArchiveWriter {
  const expires_at = new Date(now.getTime() + ARCHIVE_KEPT_MS);
  const piece = Buffer.alloc(CHUNK_BYTES);
  let length = 0;
  let number = 0;
  let hasFailed = false;
  const flush = async () => {
    hasFailed = true;
    await onPiece();
    const bytes = new Binary(Buffer.from(piece.subarray(0, length)));
    await db.library_import_chunks.insertOne({
      _id: chunkId(archive, number),
      ...archive,
      bytes,
      expires_at,
    });
    hasFailed = false;
    number += 1;
    length = 0;
  };
  return {
    async write(bytes) {
      for (let offset = 0; offset < bytes.byteLength; ) {
        const fragment = bytes.subarray(offset, offset + CHUNK_BYTES - length);
        piece.set(fragment, length);
        length += fragment.byteLength;
        offset += fragment.byteLength;
        if (length === CHUNK_BYTES) await flush();
      }
    },
    end: async () => void (length > 0 && (await flush())),
    hasFailed: () => hasFailed,
  };
}

/** Opens the whole zip as a file without a name, which disappears with the handle or the process. Null if a piece is missing. */
export async function openArchiveFile(
  db: Db,
  archive: Archive,
  size: number,
  path: string,
): Promise<FileHandle | null> {
  const file = await open(path, "wx+", 0o600);
  await rm(path);
  let writtenBytes = 0;
  for (let number = 0; writtenBytes < size; number += 1) {
    const chunk = await db.library_import_chunks.findOne({
      _id: chunkId(archive, number),
      user_id: archive.user_id,
    });
    if (!chunk) {
      await file.close();
      return null;
    }
    await file.write(chunk.bytes.buffer);
    writtenBytes += chunk.bytes.length();
  }
  return file;
}

export const removeArchive = (db: Db, { user_id, import_id }: Archive): Promise<void> =>
  removePieces(db, { user_id, import_id });

/** Removes all other zips of the owner. */
export const removeOtherArchives = (db: Db, { user_id, import_id }: Archive): Promise<void> =>
  removePieces(db, { user_id, import_id: { $ne: import_id } });

/** If an outage prevents the removal, the pieces expire after a day. Their import has ended in any case. */
async function removePieces(db: Db, filter: Filter<LibraryImportChunkDoc>): Promise<void> {
  try {
    await db.library_import_chunks.deleteMany(filter);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
  }
}
