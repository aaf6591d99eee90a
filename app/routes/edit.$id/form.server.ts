import { z } from "zod";
import type { WebServices } from "#app/http/request-context.ts";
import { THREAD_JOBS } from "#app/thread-jobs.ts";
import type { Edit } from "#db/files/file-edits.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { readVersion } from "#db/files/file-versions.server.ts";
import {
  DETAIL_NAMES,
  mapDetails,
  parseDetails,
  type TypedDetails,
  writeDetails,
} from "#domain/files/file-details.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { matchEncoding } from "#domain/text/line-ends.ts";
import { countMergeMarks, joinTexts, type MergeLabels } from "#domain/text/line-merge.ts";

const text = z.string().default("");
/** What a field showed when the form was made; a field that still has it leaves the file's own value alone. */
const shown = z.string().optional();

export const editForm = z.object({
  version: z.coerce.number().int().min(1).max(999_999_999),
  file_name: z.string().optional(),
  text: z.string(),
  language: text,
  /** Of a text that was put together from two that collide: the person's own one, and the version that it began with. */
  mine: z.string().optional(),
  from: z.coerce.number().int().min(1).max(999_999_999).optional(),
  /** The marks of the collisions are wanted in the file. */
  keep_marks: z.string().optional(),
  ...mapDetails(() => z.string().optional()),
  shown_file_name: shown,
  shown_language: shown,
  // The compiler cannot follow how the names are made.
  ...(Object.fromEntries(DETAIL_NAMES.map((name) => [`shown_${name}`, shown])) as Record<
    `shown_${keyof TypedDetails}`,
    typeof shown
  >),
});

type EditForm = z.output<typeof editForm>;
export type Typed = Pick<EditForm, "version" | "text"> & Fields;
type Fields = TypedDetails & { file_name: string; language: string };

export const toFormFields = (file: FileRecord): Fields => ({
  file_name: file.file_name,
  language: file.language,
  ...writeDetails(file),
});

/** The fields as a form shows them again: what was typed, and elsewhere what the file has by now. */
export function keepTyped(form: EditForm, file: FileRecord | null): Typed {
  const now = file && toFormFields(file);
  const field = (name: keyof Fields) => changed(form, name) ?? now?.[name] ?? form[name] ?? "";
  return {
    version: form.version,
    text: form.text,
    file_name: field("file_name"),
    language: field("language"),
    ...mapDetails(field),
  };
}

function changed(form: EditForm, name: keyof Fields): string | undefined {
  return form[name] === form[`shown_${name}`] ? undefined : form[name];
}

/** What the form asks to save. Fields that were left alone are not written over what others wrote meanwhile. */
export function editToSave(form: EditForm, file: FileRecord, body: string): Edit | Refusal {
  const details = parseDetails(mapDetails((name) => changed(form, name)));
  if (isRefusal(details)) return details;
  const chosen = changed(form, "language");
  if (chosen && !isLanguage(chosen)) return Refusal("unknown_language");
  const file_name = changed(form, "file_name") ?? file.file_name;
  const kept = chosen === undefined && file_name === file.file_name ? file.language : chosen;
  const language = kept && isLanguage(kept) ? kept : undefined;
  return { ...details, file_name, body, language, onto: { id: file.id, version: form.version } };
}

export type Conflict = {
  /** The version that the edit began with, and the newer one. */
  from: number;
  version: number;
  mine: string;
  theirs: string;
  merged: string;
  collisions: number;
};

/** Two texts that began as one version, and what they make together. */
export async function describeConflict(
  { db, threads }: WebServices,
  file: FileRecord,
  texts: { from: number; base: string | null; mine: string },
  labels: MergeLabels,
): Promise<Conflict> {
  const { from, mine } = texts;
  const theirs = (await readVersion(db, file.user_id, file, file.version)) ?? "";
  const input = { base: texts.base ?? "", mine, theirs, labels };
  const made = await threads.run(THREAD_JOBS.mergeTexts, input, { owner: file.user_id });
  const { text: merged, collisions } = made.ok ? made.value : joinTexts(input);
  return { from, version: file.version, mine, theirs, merged, collisions };
}

/** The conflict of a form that came back with its marks; null where there are none, or where they are wanted. */
export function findLeftConflict(
  { version, from, mine, keep_marks }: EditForm,
  merged: string,
  theirs: string | null,
): Conflict | null {
  if (mine === undefined || from === undefined || keep_marks) return null;
  const collisions = countMergeMarks(merged);
  if (collisions === 0) return null;
  return { from, version, mine: matchEncoding(theirs, mine), theirs: theirs ?? "", merged, collisions };
}
