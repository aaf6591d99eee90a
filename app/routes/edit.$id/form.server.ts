import { z } from "zod";
import { THREAD_JOBS } from "#app/main/thread-jobs.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { Edit } from "#db/files/file-edits.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { readVersionBody } from "#db/files/file-versions.server.ts";
import {
  DETAIL_NAMES,
  mapDetails,
  parseDetails,
  type TypedDetails,
  toTypedDetails,
} from "#domain/files/file-details.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { matchEncoding } from "#domain/text/line-ends.ts";
import { countMergeMarks, joinTexts, type MergeLabels } from "#domain/text/line-merge.ts";

const text = z.string().default("");
/** The value of a field when the form was made. A field that still has it leaves the file's value unchanged. */
const initialValue = z.string().optional();

export const editForm = z.object({
  version: z.coerce.number().int().min(1).max(999_999_999),
  file_name: z.string().optional(),
  text: z.string(),
  language: text,
  /** For a merged text with conflicts: the person's own text, and the version that it began with. */
  mine: z.string().optional(),
  from: z.coerce.number().int().min(1).max(999_999_999).optional(),
  /** Saves the file even if it contains conflict marks. */
  keep_marks: z.string().optional(),
  ...mapDetails(() => z.string().optional()),
  shown_file_name: initialValue,
  shown_language: initialValue,
  // The compiler cannot derive the computed names.
  ...(Object.fromEntries(DETAIL_NAMES.map((name) => [`shown_${name}`, initialValue])) as Record<
    `shown_${keyof TypedDetails}`,
    typeof initialValue
  >),
});

type EditForm = z.output<typeof editForm>;
export type Typed = Pick<EditForm, "version" | "text"> & Fields;
type Fields = TypedDetails & { file_name: string; language: string };

export const toFormFields = (file: FileRecord): Fields => ({
  file_name: file.file_name,
  language: file.language,
  ...toTypedDetails(file),
});

export function toTypedEdit(form: EditForm, file: FileRecord | null): Typed {
  const now = file && toFormFields(file);
  const field = (name: keyof Fields) => findChangedValue(form, name) ?? now?.[name] ?? form[name] ?? "";
  return {
    version: form.version,
    text: form.text,
    file_name: field("file_name"),
    language: field("language"),
    ...mapDetails(field),
  };
}

function findChangedValue(form: EditForm, name: keyof Fields): string | undefined {
  return form[name] === form[`shown_${name}`] ? undefined : form[name];
}

/** Reads the edit to save. Unchanged fields do not overwrite what others saved since then. */
export function readEdit(form: EditForm, file: FileRecord, body: string): Edit | Refusal {
  const details = parseDetails(mapDetails((name) => findChangedValue(form, name)));
  if (isRefusal(details)) return details;
  const chosen = findChangedValue(form, "language");
  if (chosen && !isLanguage(chosen)) return Refusal("unknown_language");
  const file_name = findChangedValue(form, "file_name") ?? file.file_name;
  const languageName = chosen === undefined && file_name === file.file_name ? file.language : chosen;
  const language = languageName && isLanguage(languageName) ? languageName : undefined;
  return { ...details, file_name, body, language, onto: { id: file.id, version: form.version } };
}

export type Conflict = {
  /** The version that the edit began with. */
  from: number;
  version: number;
  mine: string;
  theirs: string;
  merged: string;
  collisions: number;
};

export async function buildConflict(
  { db, threads }: WebServices,
  file: FileRecord,
  texts: { from: number; base: string | null; mine: string },
  labels: MergeLabels,
): Promise<Conflict> {
  const { from, mine } = texts;
  const theirs = (await readVersionBody(db, file.user_id, file, file.version)) ?? "";
  const input = { base: texts.base ?? "", mine, theirs, labels };
  const result = await threads.run(THREAD_JOBS.mergeTexts, input, { owner: file.user_id });
  const { text: merged, collisions } = result.ok ? result.value : joinTexts(input);
  return { from, version: file.version, mine, theirs, merged, collisions };
}

/** Finds a conflict that the form sent back with its marks; null if there are none, or if the person wants to keep them. */
export function findRemainingConflict(
  { version, from, mine, keep_marks }: EditForm,
  merged: string,
  theirs: string | null,
): Conflict | null {
  if (mine === undefined || from === undefined || keep_marks) return null;
  const collisions = countMergeMarks(merged);
  if (collisions === 0) return null;
  return { from, version, mine: matchEncoding(theirs, mine), theirs: theirs ?? "", merged, collisions };
}
