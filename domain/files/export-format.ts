import { z } from "zod";
import { checkInstructions } from "#domain/accounts/agent-instructions.ts";
import { boardName } from "#domain/boards/board-schema.ts";
import { BODY_MAX_BYTES, FILE_NAME_MAX } from "#domain/files/file.ts";
import { fileFields, fileName, language, recordedDetails } from "#domain/files/file-schema.ts";
import { parseFolderNames } from "#domain/folders/file-path.ts";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX } from "#domain/folders/folder-tree.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";
import { CONTENT_MAX, hasOneTarget, NOTE_KINDS } from "#domain/notes/note.ts";
import { checkLines, noteFields, noteTargetFields } from "#domain/notes/note-schema.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { isRefusal } from "#domain/refusal.ts";
import { REMINDER_STATUSES } from "#domain/reminders/reminder-state.ts";
import { isTimeZone } from "#domain/reminders/reminder-time.ts";
import { itemAt } from "#domain/required.ts";
import { boundedText } from "#domain/schema.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";
import { hasKey } from "#domain/typed-keys.ts";

/**
 * An export of everything a person keeps, as the entries of a zip: each text once, under `files/` in its folders where it is the present one
 * and else under `versions/`; the rest as arrays of records. Whatever comes back in is checked by the same rules as what is typed.
 */
export const EXPORT_FORMAT = "codeshelf-export";
export const EXPORT_VERSION = 2;
/** The first version has no folders. */
const READABLE_VERSIONS = [1, EXPORT_VERSION] as const;
export const RECORD_KINDS = ["files", "boards", "notes", "reminders"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

const RECORDS_MAX_BYTES = 32 * 1024 * 1024;
const SETTINGS_MAX_BYTES = 1024 * 1024;
/** A directory of a zip may have names of 64 KiB each; the longest of ours is a file's in the deepest folder. */
const PATH_MAX = "files/".length + (FOLDER_DEPTH_MAX + 1) * (2 * FILE_NAME_MAX + 1);
/** A text for each version, so that there are never more files than this either. */
export const ENTRIES_MAX = 500_000;
export const RECORDS_MAX = 500_000;

/** Every path that an export may have, and its greatest size. A path without a row is refused. */
const PATHS: readonly [path: RegExp, maxBytes: number][] = [
  [/^manifest\.json$/, SETTINGS_MAX_BYTES],
  [/^settings\.json$/, SETTINGS_MAX_BYTES],
  [/^records\/(files|boards|notes|reminders)-\d{1,6}\.json$/, RECORDS_MAX_BYTES],
  [new RegExp(`^files(/[^/]{1,${2 * FILE_NAME_MAX}}){1,${FOLDER_DEPTH_MAX + 1}}$`), BODY_MAX_BYTES],
  [/^versions\/[^/]+\/\d{1,9}-[^/]+$/, BODY_MAX_BYTES],
];

/** Null for a path that no export has. */
export function entryMaxBytes(path: string): number | null {
  if (path.length > PATH_MAX) return null;
  const [root, id] = path.split("/");
  if (root === "versions" && !isOpaqueId(id)) return null;
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

export const recordsPath = (kind: RecordKind, number: number) => `records/${kind}-${number}.json`;
/** Null for a path that holds no records. */
export function readRecordKind(path: string): RecordKind | null {
  const kind = /^records\/([a-z]+)-/.exec(path)?.[1];
  return hasKey(RECORDS, kind) ? kind : null;
}
export const isTextPath = (path: string) => /^(files|versions)\//.test(path);

const id = z.string().refine(isOpaqueId, { message: "is not an id" });
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const moment = createMomentSchema("is not a moment");
/** `a/b` for a folder b within a folder a; empty for the root. */
const folderPath = z
  .string()
  .refine((value) => value === "" || !isRefusal(parseFolderNames(value.split("/"))), {
    message: "is not a folder",
  });
const path = z.string().refine((value) => isTextPath(value) && entryMaxBytes(value) !== null);

/**
 * A list whose check ends at its first invalid element, because an issue for each of a million elements would take more memory
 * than the process has.
 */
function listSchema<Item extends z.ZodType>(
  item: Item,
  max: number,
): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const list = z.unknown().transform((value, context) => {
    const refuse = (message: string, path: PropertyKey[] = []) => {
      context.addIssue({ code: "custom", message, path });
      return z.NEVER;
    };
    if (!Array.isArray(value)) return refuse("is no list");
    if (value.length > max) return refuse("is too long");
    const items: z.output<Item>[] = [];
    for (const [i, one] of value.entries()) {
      const parsed = item.safeParse(one);
      if (!parsed.success) {
        const { message, path } = itemAt(parsed.error.issues, 0);
        return refuse(message, [i, ...path]);
      }
      items.push(parsed.data);
    }
    return items;
  });
  // It takes anything and refuses what is no such list; its type says what it lets through.
  return list as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}

const version = z.object({
  version: whole.min(1),
  file_name: fileName,
  language,
  created_at: moment,
  path,
});

const fileRecord = z
  .object({
    id,
    ...fileFields.shape,
    ...recordedDetails,
    folder: folderPath.default(""),
    last_version: whole.min(1),
    pin_slot: whole.optional(),
    created_at: moment,
    updated_at: moment,
    last_opened_at: moment.nullable(),
    deleted_at: moment.nullable(),
    expires_at: moment.nullable(),
    versions: listSchema(version, ENTRIES_MAX),
  })
  .refine(({ versions, version: shown }) => versions.some((one) => one.version === shown), {
    message: "lacks the version it shows",
  })
  .refine(({ versions, last_version }) => versions.every((one) => one.version <= last_version))
  .refine(({ versions }) => new Set(versions.map((one) => one.version)).size === versions.length)
  .refine(({ deleted_at, expires_at }) => (deleted_at === null) === (expires_at === null));

const boardRecord = z.object({
  id,
  name: boardName,
  is_default: z.boolean(),
  created_at: moment,
  updated_at: moment,
});

const lines = listSchema(boundedText(20_000), 1_000);
const place = z.object({ line_start: whole, line_end: whole });

const noteRecord = z
  .object({
    id,
    kind: z.enum(NOTE_KINDS),
    ...noteTargetFields,
    ...noteFields.shape,
    anchor: z.object({ version: whole, quote: lines, before: lines, after: lines, place }).nullable(),
    history: listSchema(z.object({ content: boundedText(CONTENT_MAX), updated_at: moment }), 100),
    created_at: moment,
    updated_at: moment,
    deleted_at: moment.nullable(),
    expires_at: moment.nullable(),
    kept_reminder: z.object({ remind_at: moment }).nullable(),
  })
  .refine(hasOneTarget, { message: "must be in one place" })
  .refine((note) => checkLines(note) === null, { path: ["line_end"] });

const reminderRecord = z.object({
  note_id: id,
  remind_at: moment,
  status: z.enum(REMINDER_STATUSES),
  ack_at: moment.nullable(),
  created_at: moment,
  changed_at: moment.optional(),
  expires_at: moment.nullable(),
  push_at: moment.nullable(),
});

const instructions = z.string().refine((value) => !isRefusal(checkInstructions(value)));

export const settingsRecord = z.object({
  locale: z.enum(LOCALE_NAMES).nullable(),
  timezone: z.string().refine(isTimeZone).nullable(),
  keyboard_shortcuts: z.boolean().nullable(),
  keep_run_results: z.boolean().nullable().default(null),
  has_seen_welcome_modal: z.boolean(),
  dismissed_announcements: listSchema(z.string().max(100), 50),
  agent_instructions: z.object({ text: instructions, updated_at: moment }).nullable(),
  folders: listSchema(folderPath, FOLDERS_MAX).default([]),
});

export const manifestRecord = z.object({
  format: z.literal(EXPORT_FORMAT),
  format_version: z.literal(READABLE_VERSIONS),
  created_at: moment,
  /** How many records there are, only to show progress. */
  counts: z.partialRecord(z.enum(RECORD_KINDS), whole).catch({}).default({}),
});

export const RECORDS = {
  files: fileRecord,
  boards: boardRecord,
  notes: noteRecord,
  reminders: reminderRecord,
} as const satisfies Record<RecordKind, z.ZodType>;

/** A record on its way out, with its moments as text, and on its way in. */
export type Exported<Kind extends RecordKind> = z.input<(typeof RECORDS)[Kind]>;
export type Imported<Kind extends RecordKind> = z.output<(typeof RECORDS)[Kind]>;
export type ExportedSettings = z.input<typeof settingsRecord>;
export type ImportedSettings = z.output<typeof settingsRecord>;
