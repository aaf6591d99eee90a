import type { z } from "zod";
import { MANIFEST_NAME } from "#domain/files/archive.ts";
import { decodeBody } from "#domain/files/file.ts";
import { type JsonElementFault, splitJsonArray } from "#domain/files/json-elements.ts";
import {
  type Imported,
  type ImportedSettings,
  isTextPath,
  manifestRecord,
  parseRecordKind,
  RECORDS,
  RECORDS_MAX,
  type RecordKind,
  settingsRecord,
} from "#domain/library-zip/export-format.ts";
import type { Damage } from "#domain/library-zip/library-import.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Archive } from "#worker/library-import/archive.ts";
import { Damaged } from "#worker/library-import/damaged.ts";

/**
 * Reads and checks the contents of an export. Records are cut out of their file, parsed and checked one by one, and the first
 * invalid one ends the import. Everything throws `Damaged`.
 */
export type ArchiveHead = {
  made_at: Date;
  counts: Partial<Record<RecordKind, number>>;
  settings: ImportedSettings;
};
export type AnyRecord = Imported<RecordKind>;

const PORTION_RECORDS = 50;
const PORTION_BYTES = 4 * 1024 * 1024;
const RECORD_LIMITS = { depthMax: 16, valuesMax: 1_000_000 };
const FAULTS: Record<JsonElementFault, Damage["why"]> = {
  not_json: "not_json",
  not_a_list: "not_a_list",
  too_deep: "too_deep",
  too_many_values: "too_large",
};

export async function readHead(archive: Archive): Promise<ArchiveHead> {
  const read = async <Schema extends z.ZodType>(path: string, schema: Schema) =>
    parseRecord(await archive.read(path), schema, path);
  const { created_at, counts } = await read(MANIFEST_NAME, manifestRecord);
  return { made_at: created_at, counts, settings: await read("settings.json", settingsRecord) };
}

export async function readText(archive: Archive, path: string): Promise<string> {
  const body = decodeBody(await archive.read(path));
  if (isRefusal(body)) throw new Damaged("not_a_text", path);
  return body;
}

/** Reads the records of a kind in portions. Duplicate ids are refused. */
export async function* readRecordPortions(archive: Archive, kind: RecordKind): AsyncGenerator<AnyRecord[]> {
  const claim = kind === "files" ? createTextClaims() : null;
  const ids = new Set<string>();
  let portion: AnyRecord[] = [];
  let bytes = 0;
  for await (const { record, path, number, length } of readRecords(archive, kind)) {
    const id = "note_id" in record ? record.note_id : record.id;
    if (ids.has(id)) throw new Damaged("duplicate_record", path, { record: number });
    if (ids.size === RECORDS_MAX) throw new Damaged("too_many_records", path);
    ids.add(id);
    if (claim && "versions" in record) claim.add(record);
    portion.push(record);
    bytes += length;
    if (portion.length < PORTION_RECORDS && bytes < PORTION_BYTES) continue;
    yield portion;
    [portion, bytes] = [[], 0];
  }
  claim?.checkAll(archive);
  yield portion;
}

/** Each text belongs to exactly one version of one file. */
function createTextClaims() {
  const claimedPaths = new Set<string>();
  return {
    add({ versions }: Imported<"files">): void {
      for (const { path } of versions) {
        // A single text for many versions would fill the store from a small zip.
        if (claimedPaths.has(path)) throw new Damaged("text_used_twice", path);
        claimedPaths.add(path);
      }
    },
    /** Refuses texts without a record, which would be lost silently. */
    checkAll(archive: Archive): void {
      for (const path of archive.paths())
        if (isTextPath(path) && !claimedPaths.has(path)) throw new Damaged("unclaimed", path);
    },
  };
}

type ReadRecord = { record: AnyRecord; path: string; number: number; length: number };

async function* readRecords(archive: Archive, kind: RecordKind): AsyncGenerator<ReadRecord> {
  const schema: z.ZodType<AnyRecord> = RECORDS[kind];
  for (const path of archive.paths()) {
    if (parseRecordKind(path) !== kind) continue;
    let number = 0;
    for (const element of splitJsonArray(await archive.read(path), RECORD_LIMITS)) {
      number += 1;
      if ("fault" in element) throw new Damaged(FAULTS[element.fault], path, { record: number });
      const record = parseRecord(element.bytes, schema, path, number);
      yield { record, path, number, length: element.bytes.byteLength };
    }
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseRecord<Schema extends z.ZodType>(
  bytes: Uint8Array,
  schema: Schema,
  path: string,
  record?: number,
): z.output<Schema> {
  const where = record === undefined ? {} : { record };
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Damaged("not_json", path, where);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".").slice(0, 100);
  throw new Damaged("invalid_record", path, { ...where, ...(field ? { field } : {}) });
}
