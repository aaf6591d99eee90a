import { z } from "zod";
import { createFileEtag, hasMatchingEtag } from "#app/files/file-etag.ts";
import { recordFault, toFaultRefusal } from "#app/web/answers/faults.server.ts";
import { endpoint } from "#app/web/api/api.server.ts";
import { ok, opaqueId } from "#app/web/api/shapes.server.ts";
import { type FormField, parseForm } from "#app/web/door/form-fields.ts";
import type { Db } from "#db/client.ts";
import { type FileToPut, putFile } from "#db/files/file-puts.server.ts";
import { decodeBody } from "#domain/files/file.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { parseJsonOrNull } from "#domain/parse-json.ts";
import { isRefusal, Refusal, refusalBody, refusalStatus } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { checkBySchema } from "#domain/schema.ts";
import { runWithPageTimeLimit } from "#platform/threads/page-time.ts";

const FILES_MAX = 200;
/** The fields `paths` and `if_match`. */
const OTHER_FIELDS = 2;
const BATCH_MAX_BYTES = 20 * 1024 * 1024;
/** Longer than a path of the deepest folders with the longest names. */
const PATH_MAX = 5_000;
/** Saves run in parallel because they mostly wait for the stores. */
const PARALLEL_SAVES = 8;
const OK = 200;
const CREATED = 201;

/** By path: the version or ETag that the file must have; null if there must be no file. */
const conditions = z.record(z.string(), z.union([z.int().min(1), z.string(), z.null()]));
type Conditions = z.output<typeof conditions>;

const resultShape = z.looseObject({
  path: z.string(),
  status: z.int(),
  file_id: opaqueId.optional(),
  version: z.int().min(1).nullish(),
  etag: z.string().optional(),
  unchanged: z.literal(true).optional(),
  error: z.string().optional(),
  code: z.string().optional(),
});

export const batchEndpoint = endpoint({
  method: "POST",
  path: "/api/files/batch",
  gate: "user",
  summary: "Save up to 200 files at their paths",
  description:
    "A form (`multipart/form-data`) with a part for each file, whose `filename` is its path; 20 MiB in all. Each file is saved or refused by itself, as by `PUT /api/files/<path>`, and counts as a saved file. The results are in the order of the parts; `status` is what PUT would answer. The field `if_match` is JSON: by path the version or the ETag that the file must have, or `null` where there must be none; each path must be that of a part. The field `paths` is a JSON list that takes the place of the file names, for paths that a form would escape.",
  refuses: ["invalid_payload", "too_many_fields", "no_files", "rate_limit_exceeded"],
  returns: { [OK]: z.object({ ok, results: z.array(resultShape) }) },
  body: { rawMaxBytes: BATCH_MAX_BYTES, type: "multipart/form-data" },
  answer: async ({ request, context, services: { db, clock }, signedIn: { user }, body }) => {
    const form = parseForm(body, request.headers.get("Content-Type") ?? "", FILES_MAX + OTHER_FIELDS);
    if (isRefusal(form)) return form;
    const expected = parseJsonField(form, "if_match", conditions, {});
    if (isRefusal(expected)) return expected;
    const parts = form.flatMap(({ value }) => (value instanceof File ? [value] : []));
    const paths = parseJsonField(
      form,
      "paths",
      z.array(z.string().max(PATH_MAX)),
      parts.map(({ name }) => name),
    );
    if (isRefusal(paths)) return paths;
    if (paths.length !== parts.length) return Refusal("invalid_payload", { fields: ["paths"] });
    const names = new Set(paths);
    if (!Object.keys(expected).every((path) => names.has(path)))
      return Refusal("invalid_payload", { fields: ["if_match"] });
    const files = parts.map((file, index) => ({ path: itemAt(paths, index), file }));
    if (files.length === 0) return Refusal("no_files");
    if (files.length > FILES_MAX) return Refusal("too_many_fields", { max: FILES_MAX });
    const save = (part: Part) =>
      runWithPageTimeLimit(() => savePart(db, user.id, part, expected[part.path], clock())).catch((error) =>
        toFaultRefusal(recordFault(context, "POST", error)),
      );
    return { ok: true, results: await saveParts(files, save) };
  },
});

function parseJsonField<Schema extends z.ZodType>(
  form: readonly FormField[],
  field: string,
  schema: Schema,
  fallback: z.output<Schema>,
): z.output<Schema> | Refusal {
  const value = form.find(({ name }) => name === field)?.value;
  if (value === undefined) return fallback;
  if (typeof value !== "string" || value.length > FILES_MAX * PATH_MAX)
    return Refusal("invalid_payload", { fields: [field] });
  const parsed = parseJsonOrNull(value);
  return parsed === undefined
    ? Refusal("invalid_payload", { fields: [field] })
    : checkBySchema(schema, parsed);
}

type Part = { path: string; file: File };

type SavedPart = { status: number; file_id: string; version: number; etag: string; unchanged?: true };

async function savePart(
  db: Db,
  ownerId: string,
  { path, file }: Part,
  expected: Conditions[string] | undefined,
  now: Date,
): Promise<SavedPart | Refusal> {
  const target = parseFilePath(path);
  if (isRefusal(target)) return target;
  const text = decodeBody(await file.bytes());
  if (isRefusal(text)) return text;
  const saved = await putFile(db, ownerId, { ...target, body: text, expects: toExpectation(expected) }, now);
  if (isRefusal(saved)) return saved;
  const { version, created, unchanged } = saved;
  const { id } = saved.file;
  return {
    status: created ? CREATED : OK,
    ...{ file_id: id, version, etag: createFileEtag({ id, version }) },
    ...(unchanged ? { unchanged: true } : {}),
  };
}

function toExpectation(expected: Conditions[string] | undefined): FileToPut["expects"] {
  if (expected === undefined) return undefined;
  if (expected === null) return (current) => current === null;
  return (current) => hasMatchingEtag(String(expected), current, { strong: true });
}

/** Saves several parts at once, but those with the same path in order. */
async function saveParts(parts: readonly Part[], save: (part: Part) => Promise<SavedPart | Refusal>) {
  const lastAtPath = new Map<string, Promise<unknown>>();
  const results: z.output<typeof resultShape>[] = [];
  const remaining = parts.entries();
  const work = async () => {
    for (const [index, part] of remaining) {
      const { path } = part;
      const saving = Promise.resolve(lastAtPath.get(path)).then(() => save(part));
      lastAtPath.set(path, saving);
      const saved = await saving;
      const result = isRefusal(saved) ? { status: refusalStatus(saved), ...refusalBody(saved) } : saved;
      results[index] = { path, ...result };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_SAVES }, work));
  return results;
}
