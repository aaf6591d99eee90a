import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { COVERED } from "#db/driver/write-concern.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { checkNoLookAlike, findKeptName, findNamedDoc, named } from "#db/files/file-names.server.ts";
import { type FileRecord, findFile, toFile } from "#db/files/file-records.server.ts";
import { NUMBER_TAKEN, publishVersion, removeVersion } from "#db/files/file-versions.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { keyedDetails, spellTags } from "#db/files/tags.server.ts";
import { storeBytes } from "#db/files/usage/library-usage.server.ts";
import { checkNoFolderNamed } from "#db/folders/folders.server.ts";
import { indexSaved, unindexed } from "#db/search/search-index.server.ts";
import type { EventResource } from "#domain/events/event-resource.ts";
import { checkBody, checkFileName, countLines } from "#domain/files/file.ts";
import { type FileDetails, NO_DETAILS } from "#domain/files/file-details.ts";
import { detectLanguage, type LanguageName } from "#domain/files/language.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { isFileId } from "#domain/files/selection.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export type FileToSave = Partial<FileDetails> & {
  file_name: string;
  /** Where a file of that name is looked for, or made. An edit leaves its file where it is. */
  folder_id?: string | null;
  body: string;
  language?: LanguageName;
  /**
   * The file and its version that this text was edited from, where it is an edit; the name is then the file's new name. Onto
   * nothing, the text begins a file and is refused where one of that name lives.
   */
  onto?: EditedFrom | "nothing";
  /** Where a new file came from. */
  origin?: { repo: string; source_url: string };
  /** Saved by a job, which has limits of its own: it does not count among the uploads of a minute. */
  byJob?: true;
};

/** With a name and a folder, the edit is also refused as stale where the file was renamed or moved since. */
export type EditedFrom = { id: string; version: number; file_name?: string; folder_id?: string | null };
export type SavedFile = {
  file: FileRecord;
  version: number;
  created: boolean;
  /** The file showed this very text already, and no version was made. */
  unchanged?: boolean;
  /** Then, that something else that was said about the file is new. */
  described?: boolean;
};

const SAVE_ATTEMPTS = 5;

/**
 * Keeps a text under a name. A living file of that name in the folder gets its next version, any other name a new file.
 *
 * The number is taken by one atomic increment, the body is written under it, and only then does the file point to it, never
 * backwards: concurrent saves each keep a version of their own, and a crash in between leaves an unused number, not a file
 * without its text. An edit points the file to its text only while the file still shows the version the edit began with; else
 * it is refused as stale and nothing of it stays.
 */
export async function saveFile(
  db: Db,
  ownerId: string,
  input: FileToSave,
  now: Date,
): Promise<SavedFile | Refusal> {
  const draft = toDraft(input);
  if (isRefusal(draft)) return draft;
  const bytes = utf8Bytes(draft.body);
  const about = () => findWrittenTo(ownerId, draft);
  return emitOnFault("db_save_code_snippet_error", db, about, () =>
    storeBytes(db, ownerId, { bytes, uploads: input.byJob ? 0 : 1 }, now, async (free) => {
      const saved = await keepDraft(db, ownerId, draft, now);
      if (isRefusal(saved)) free(bytes);
      return saved;
    }),
  );
}

/** What a text that could not be saved was for. */
export const findWrittenTo = (ownerId: string, { writtenTo }: Draft): EventResource =>
  writtenTo ? { type: "file", id: writtenTo } : { type: "user", id: ownerId };

export function toDraft(input: FileToSave): Draft | Refusal {
  const file_name = checkFileName(input.file_name);
  if (isRefusal(file_name)) return file_name;
  const body = checkBody(input.body);
  if (isRefusal(body)) return body;
  return { ...input, file_name, body, language: input.language ?? detectLanguage(file_name, body) };
}

/** Keeps a text whose bytes are reserved. */
export async function keepDraft(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<SavedFile | Refusal> {
  const { onto, tags } = draft;
  const edited = typeof onto === "object" ? onto.id : undefined;
  if (tags) draft.tags = await spellTags(db, ownerId, tags, edited);
  const kept = await (!onto
    ? save(db, ownerId, draft, now)
    : onto === "nothing"
      ? begin(db, ownerId, draft, now)
      : saveEdit(db, ownerId, draft, onto, now));
  if (isRefusal(kept)) return kept;
  const { doc, version, created } = kept;
  const file = toFile(doc);
  await indexSaved(db, ownerId, file.id, { version, body: draft.body, file: doc });
  db.emit("business_metric", { metric: "file_saved", resource: { type: "file", id: file.id } });
  return { file, version, created };
}

/** The file as it was when it showed this version, or a newer one that came meanwhile. */
type KeptVersion = { doc: FileDoc; version: number; created: boolean };

async function save(db: Db, ownerId: string, draft: Draft, now: Date): Promise<KeptVersion | Refusal> {
  draft.file_name = await findKeptName(db, ownerId, draft);
  for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt += 1) {
    const saved =
      (await saveNextVersion(db, ownerId, draft, now)) ?? (await createFile(db, ownerId, draft, now));
    if (saved) return saved;
  }
  throw new Error("A file was created and removed under this name faster than it could be saved");
}

async function begin(db: Db, ownerId: string, draft: Draft, now: Date): Promise<KeptVersion | Refusal> {
  const { file_name, folder_id } = draft;
  const there = await findNamedDoc(db, ownerId, file_name, folder_id);
  draft.file_name = toComposedName(file_name);
  const created = there ? null : await createFile(db, ownerId, draft, now);
  return created ?? Refusal("file_name_taken", { file_name });
}

export type Draft = FileToSave & {
  language: LanguageName;
  /** The id of the file that gets this text, as soon as it is known to be there. */
  writtenTo?: string;
};

/** The columns that every saving of a text replaces. */
const written = (draft: Draft, now: Date) => ({
  language: draft.language,
  size_bytes: utf8Bytes(draft.body),
  lines: countLines(draft.body),
  updated_at: now,
  ...unindexed(),
});

/** The name of a file as it is stored. */
export const orderedName = (file_name: string) => ({ file_name, name_order: toNameOrder(file_name) });

async function saveNextVersion(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<KeptVersion | null> {
  const taken = await takeVersion(db, named(ownerId, draft.file_name, draft.folder_id));
  if (!taken) return null;
  draft.writtenTo = taken._id.toHexString();
  const version = taken.last_version;
  const columns = { ...written(draft, now), ...keyedDetails(draft), version };
  const doc = versionDoc(taken._id, ownerId, version, draft, now);
  const published = await publishVersion(db, doc, draft.body, () =>
    show(db, { _id: taken._id, ...living(ownerId), version: { $lt: version } }, columns),
  );
  if (published === NUMBER_TAKEN) return null;
  if (!published && !(await findFile(db, ownerId, taken._id.toHexString()))) {
    // The file was deleted meanwhile, and what is in the trash does not grow: this text begins a new file.
    await removeVersion(db, taken._id, version);
    return null;
  }
  return { doc: published ?? taken, version, created: false };
}

/** It names the owner, who says on which shard the file is. */
type OwnedFilter = Filter<FileDoc> & { user_id: string };

/** Its acknowledgement is covered by the write that shows the version. */
function takeVersion(db: Db, filter: OwnedFilter): Promise<FileDoc | null> {
  return db.files.findOneAndUpdate(
    filter,
    { $inc: { last_version: 1 } },
    { returnDocument: "after", ...COVERED },
  );
}

/** Sets the highest number too: an election may have lost the write that took it. */
function show(
  db: Db,
  filter: OwnedFilter,
  columns: Partial<FileDoc> & { version: number },
): Promise<FileDoc | null> {
  return db.files.findOneAndUpdate(
    filter,
    { $set: columns, $max: { last_version: columns.version } },
    { returnDocument: "after" },
  );
}

async function saveEdit(
  db: Db,
  ownerId: string,
  draft: Draft,
  onto: EditedFrom,
  now: Date,
): Promise<KeptVersion | Refusal> {
  if (!isFileId(onto.id)) return Refusal("file_not_found", { file_id: onto.id });
  const { id, ...seen } = onto;
  draft.writtenTo = id;
  const unchanged = { _id: new ObjectId(id), ...living(ownerId), ...seen };
  const taken = await takeVersion(db, unchanged);
  if (!taken) return overtaken(db, ownerId, onto.id);
  const version = taken.last_version;
  const isRenamed = draft.file_name !== taken.file_name;
  if (isRenamed) draft.file_name = toComposedName(draft.file_name);
  const { file_name } = draft;
  const place = { id, folder_id: taken.folder_id ?? null, file_name };
  const clash =
    isRenamed &&
    ((await checkNoFolderNamed(db, ownerId, place.folder_id, [file_name])) ??
      (await checkNoLookAlike(db, ownerId, place)));
  if (clash) return clash;
  const columns = { ...written(draft, now), ...orderedName(file_name), ...keyedDetails(draft), version };
  const doc = versionDoc(taken._id, ownerId, version, draft, now);
  const published = await publishVersion(db, doc, draft.body, () =>
    show(db, unchanged, columns).catch((error) => {
      if (isDuplicateKey(error)) return Refusal("file_name_taken", { file_name });
      throw error;
    }),
  );
  if (published === NUMBER_TAKEN) return overtaken(db, ownerId, onto.id);
  if (published && !isRefusal(published)) return { doc: published, version, created: false };
  await removeVersion(db, taken._id, version);
  return published ?? overtaken(db, ownerId, onto.id);
}

/** Why an edit found its file changed: it has a newer version, or it is gone. */
async function overtaken(db: Db, ownerId: string, file_id: string): Promise<Refusal> {
  const file = await findFile(db, ownerId, file_id);
  return file
    ? Refusal("stale_edit", { file_id, version: file.version })
    : Refusal("file_not_found", { file_id });
}

async function createFile(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<KeptVersion | Refusal | null> {
  const taken = await checkNoFolderNamed(db, ownerId, draft.folder_id ?? null, [draft.file_name]);
  if (taken) return taken;
  const doc: FileDoc = {
    _id: new ObjectId(),
    user_id: ownerId,
    ...orderedName(draft.file_name),
    folder_id: draft.folder_id ?? null,
    ...NO_DETAILS,
    tag_keys: [],
    ...keyedDetails(draft),
    repo: draft.origin?.repo ?? null,
    source_url: draft.origin?.source_url ?? null,
    version: 1,
    last_version: 1,
    ...written(draft, now),
    is_favorite: false,
    is_pinned: false,
    created_at: now,
    last_opened_at: null,
    deleted_at: null,
    expires_at: null,
  };
  const version = versionDoc(doc._id, ownerId, 1, draft, now);
  try {
    await publishVersion(db, version, draft.body, () => db.files.insertOne(doc));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another save made the name first.
    await removeVersion(db, doc._id, 1);
    return null;
  }
  return { doc, version: 1, created: true };
}

const versionDoc = (file_id: ObjectId, user_id: string, version: number, draft: Draft, now: Date) => {
  const { updated_at: created_at, unindexed: _, ...columns } = written(draft, now);
  return {
    _id: new ObjectId(),
    file_id,
    user_id,
    version,
    file_name: draft.file_name,
    ...columns,
    created_at,
  };
};
