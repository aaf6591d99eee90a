import type { z } from "zod";
import { type Archive, damaged } from "#app/library-zip/archive.server.ts";
import { MANIFEST_NAME } from "#domain/archive.ts";
import {
  type Imported,
  type ImportedSettings,
  kindOfRecords,
  manifestRecord,
  RECORDS,
  type RecordKind,
  settingsRecord,
} from "#domain/export-format.ts";
import { decodeBody } from "#domain/file.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

/** What is in an export, by the rules of the product. A record that does not keep them is thrown as the refusal of the whole. */
export class Damaged extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

function orThrow<T>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Damaged(value);
  return value;
}

async function readJson<Schema extends z.ZodType>(
  archive: Archive,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = orThrow(await archive.read(path));
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Damaged(damaged("not_json", path));
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Damaged(damaged(`${issue.path.join(".")}: ${issue.message}`.slice(0, 200), path));
}

export const readManifest = (archive: Archive) => readJson(archive, MANIFEST_NAME, manifestRecord);
export const readSettings = (archive: Archive): Promise<ImportedSettings> =>
  readJson(archive, "settings.json", settingsRecord);

/** The records of a kind, a portion at a time, in the order of their ids. */
export async function* readRecords<Kind extends RecordKind>(
  archive: Archive,
  kind: Kind,
): AsyncGenerator<Imported<Kind>[]> {
  const schema = RECORDS[kind].array() as unknown as z.ZodType<Imported<Kind>[]>;
  const paths = archive.paths.filter((path) => kindOfRecords(path) === kind);
  for (const path of paths) yield await readJson(archive, path, schema);
}

/** The text at a path, by the rules for one that is saved. */
export async function readText(archive: Archive, path: string): Promise<string> {
  const body = decodeBody(orThrow(await archive.read(path)));
  if (isRefusal(body)) throw new Damaged(damaged("not_a_text", path));
  return body;
}
