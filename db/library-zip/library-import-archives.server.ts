import { type FileHandle, open, rm } from "node:fs/promises";
import { Binary, type Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { isStorageFault } from "#db/faults.server.ts";
import type { LibraryImportChunkDoc } from "#db/library-zip/documents.ts";
import { DAY_MS } from "#domain/time/durations.ts";

export const ARCHIVE_KEPT_MS = DAY_MS;
const CHUNK_BYTES = 1024 * 1024;
/** Of all people together: more is refused until some of it is imported or a day old. */
const CHUNKS_MAX = 4_096;

type Archive = { user_id: string; import_id: string };
const chunkId = ({ import_id }: Archive, number: number) => `${import_id}.${number}`;

/** False where the zips of all people together leave no room for another one. */
export async function hasRoomForArchive(db: Db): Promise<boolean> {
  return (await db.library_import_chunks.estimatedDocumentCount()) < CHUNKS_MAX;
}

export type ArchiveWriter = {
  /** Keeps what is given; what does not fill a piece waits for more or for the end. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** Whether the store, and not who sends the zip, is to blame for what was thrown. */
  hasFailed(): boolean;
};

/** Never holds more than one piece. `onPiece` is called for each and may throw to end it. */
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
  let failed = false;
  const flush = async () => {
    failed = true;
    await onPiece();
    const bytes = new Binary(Buffer.from(piece.subarray(0, length)));
    await db.library_import_chunks.insertOne({
      _id: chunkId(archive, number),
      ...archive,
      bytes,
      expires_at,
    });
    failed = false;
    number += 1;
    length = 0;
  };
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.byteLength; ) {
        const part = bytes.subarray(at, at + CHUNK_BYTES - length);
        piece.set(part, length);
        length += part.byteLength;
        at += part.byteLength;
        if (length === CHUNK_BYTES) await flush();
      }
    },
    end: async () => void (length > 0 && (await flush())),
    hasFailed: () => failed,
  };
}

/** The whole zip in a file that has no name any more: it is gone with the handle, or with the process. Null where a piece is missing. */
export async function openArchiveFile(
  db: Db,
  archive: Archive,
  size: number,
  path: string,
): Promise<FileHandle | null> {
  const file = await open(path, "wx+", 0o600);
  await rm(path);
  let written = 0;
  for (let number = 0; written < size; number += 1) {
    const chunk = await db.library_import_chunks.findOne({
      _id: chunkId(archive, number),
      user_id: archive.user_id,
    });
    if (!chunk) {
      await file.close();
      return null;
    }
    await file.write(chunk.bytes.buffer);
    written += chunk.bytes.length();
  }
  return file;
}

export const removeArchive = (db: Db, { user_id, import_id }: Archive): Promise<void> =>
  removePieces(db, { user_id, import_id });

/** Of an owner's zips every one but this. */
export const removeOtherArchives = (db: Db, { user_id, import_id }: Archive): Promise<void> =>
  removePieces(db, { user_id, import_id: { $ne: import_id } });

/** Pieces that an outage keeps here go by themselves after their day: what they belonged to has ended all the same. */
async function removePieces(db: Db, filter: Filter<LibraryImportChunkDoc>): Promise<void> {
  try {
    await db.library_import_chunks.deleteMany(filter);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
  }
}
