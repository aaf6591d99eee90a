import { ObjectId } from "mongodb";
import type { FileDoc, VersionDoc } from "#db/files/documents.ts";
import { toNameColumns } from "#db/files/file-names.server.ts";
import { keyedDetails } from "#db/files/tags.server.ts";
import { unindexed } from "#db/search/search-index.server.ts";
import type { EventResource } from "#domain/events/event-resource.ts";
import { checkBody, checkFileName, countLines } from "#domain/files/file.ts";
import { type FileDetails, NO_DETAILS } from "#domain/files/file-details.ts";
import { detectLanguage, type LanguageName } from "#domain/files/language.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export type FileToSave = Partial<FileDetails> & {
  file_name: string;
  /** The folder in which a file of that name is looked for or created. An edit leaves its file where it is. */
  folder_id?: string | null;
  body: string;
  language?: LanguageName;
  /**
   * For an edit: the file and version that this text was edited from; `file_name` is then the file's new name. With "nothing" the
   * text always begins a new file, and is refused if a file of that name exists.
   */
  onto?: EditedFrom | "nothing";
  origin?: { repo: string; source_url: string };
  /** Saved by a job. Jobs have their own limits, so the file does not count towards the uploads per minute. */
  byJob?: true;
};

/** With a name and a folder, the edit is also refused as stale if the file was renamed or moved since. */
export type EditedFrom = { id: string; version: number; file_name?: string; folder_id?: string | null };

/** A checked file with its language, ready to be written. */
export type Draft = FileToSave & {
  language: LanguageName;
  /** The id of the existing file that gets this text. It is set once that file has been found. */
  writtenTo?: string;
};

export function toDraft(input: FileToSave): Draft | Refusal {
  const file_name = checkFileName(input.file_name);
  if (isRefusal(file_name)) return file_name;
  const body = checkBody(input.body);
  if (isRefusal(body)) return body;
  return { ...input, file_name, body, language: input.language ?? detectLanguage(file_name, body) };
}

/** Returns the resource for an event about a failed save: the file that the text was for, or the owner for a new file. */
export const toDraftResource = (ownerId: string, { writtenTo }: Draft): EventResource =>
  writtenTo ? { type: "file", id: writtenTo } : { type: "user", id: ownerId };

export const measureBody = (body: string) => ({ size_bytes: utf8Bytes(body), lines: countLines(body) });

export const toTextColumns = (draft: Draft, now: Date) => ({
  language: draft.language,
  ...measureBody(draft.body),
  updated_at: now,
  ...unindexed(),
});

export const toFileDoc = (ownerId: string, draft: Draft, now: Date): FileDoc => ({
  _id: new ObjectId(),
  user_id: ownerId,
  ...toNameColumns(draft.file_name),
  folder_id: draft.folder_id ?? null,
  ...NO_DETAILS,
  tag_keys: [],
  ...keyedDetails(draft),
  repo: draft.origin?.repo ?? null,
  source_url: draft.origin?.source_url ?? null,
  version: 1,
  last_version: 1,
  ...toTextColumns(draft, now),
  is_favorite: false,
  is_pinned: false,
  created_at: now,
  last_opened_at: null,
  deleted_at: null,
  expires_at: null,
});

export function toVersionDoc(
  file: Pick<FileDoc, "_id" | "user_id">,
  version: number,
  draft: Draft,
  now: Date,
): VersionDoc {
  const { updated_at: created_at, unindexed: _, ...columns } = toTextColumns(draft, now);
  return {
    _id: new ObjectId(),
    file_id: file._id,
    user_id: file.user_id,
    version,
    file_name: draft.file_name,
    ...columns,
    created_at,
  };
}
