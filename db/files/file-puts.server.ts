import type { Db } from "#db/client.ts";
import {
  type FileRecord,
  type FileToSave,
  findFileByName,
  readBody,
  type SavedFile,
  saveFile,
} from "#db/files/files.server.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export type FileToPut = Pick<FileToSave, "file_name" | "body"> & {
  /** What has to hold of the file of that name, or of its absence, for the text to be saved. */
  expects?: (current: FileRecord | null) => boolean;
};
/** `unchanged`: the file shows this very text already, and no version was made. */
export type PutResult = SavedFile & { unchanged: boolean };

const PUT_ATTEMPTS = 5;
const OVERTAKEN: readonly RefusalCode[] = ["stale_edit", "file_not_found", "file_name_taken"];

/**
 * Saves a text under a name, unless the file there shows it already. An expectation is part of the write: the text is saved onto
 * the very file and version that met it, or onto nothing. Of two writers with the same expectation one wins, and the other's is
 * checked again against what is there then.
 */
export async function putFile(
  db: Db,
  ownerId: string,
  { file_name, body, expects }: FileToPut,
  now: Date,
): Promise<PutResult | Refusal> {
  let current: FileRecord | null = null;
  for (let attempt = 0; attempt < PUT_ATTEMPTS; attempt += 1) {
    current = await findFileByName(db, ownerId, file_name);
    if (expects && !expects(current)) break;
    if (current && (await showsText(db, ownerId, current, body)))
      return { file: current, version: current.version, created: false, unchanged: true };
    const onto = expects && (current ? { id: current.id, version: current.version, file_name } : "nothing");
    const saved = await saveFile(db, ownerId, { file_name, body, onto }, now);
    if (!isRefusal(saved)) return { ...saved, unchanged: false };
    if (!OVERTAKEN.includes(saved.refused)) return saved;
  }
  return Refusal("version_changed", { version: current?.version ?? null });
}

async function showsText(db: Db, ownerId: string, file: FileRecord, body: string): Promise<boolean> {
  return file.size_bytes === utf8Bytes(body) && (await readBody(db, ownerId, file)) === body;
}
