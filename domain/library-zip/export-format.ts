import { z } from "zod";
import { checkInstructions } from "#domain/accounts/agent-instructions.ts";
import { boardName } from "#domain/boards/board-schema.ts";
import { BODY_MAX_BYTES, FILE_NAME_MAX } from "#domain/files/file.ts";
import { fileFields, fileName, language, recordedDetails } from "#domain/files/file-schema.ts";
import { parseFolderNames } from "#domain/files/folders/file-path.ts";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX } from "#domain/files/folders/folder-tree.ts";
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
 * The format of an export: a zip with each text once, current texts under `files/` in their folders, older ones under
 * `versions/`, and arrays of records. An import checks everything by the same rules as typed input.
 */
export const EXPORT_FORMAT = "codeshelf-export";
export const EXPORT_VERSION = 2;
/** Version 1 has no folders. */
const READABLE_VERSIONS = [1, EXPORT_VERSION] as const;
export const RECORD_KINDS = ["files", "boards", "notes", "reminders"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

const RECORDS_MAX_BYTES = 32 * 1024 * 1024;
const SETTINGS_MAX_BYTES = 1024 * 1024;
/** Entries of a zip may have names of 64 KiB; the longest of ours is a file in the deepest folder. */
const PATH_MAX = "files/".length + (FOLDER_DEPTH_MAX + 1) * (2 * FILE_NAME_MAX + 1);
/** Each version has a text, so this also limits the files. */
export const ENTRIES_MAX = 500_000;
export const RECORDS_MAX = 500_000;

/** The allowed paths with their greatest sizes. */
const PATHS: readonly [path: RegExp, maxBytes: number][] = [
  [/^manifest\.json$/, SETTINGS_MAX_BYTES],
  [/^settings\.json$/, SETTINGS_MAX_BYTES],
  [/^records\/(files|boards|notes|reminders)-\d{1,6}\.json$/, RECORDS_MAX_BYTES],
  [new RegExp(`^files(/[^/]{1,${2 * FILE_NAME_MAX}}){1,${FOLDER_DEPTH_MAX + 1}}$`), BODY_MAX_BYTES],
  [/^versions\/[^/]+\/\d{1,9}-[^/]+$/, BODY_MAX_BYTES],
];

export function entryMaxBytes(path: string): number | null {
  if (path.length > PATH_MAX) return null;
  const [root, id] = path.split("/");
  if (root === "versions" && !isOpaqueId(id)) return null;
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

export const recordsPath = (kind: RecordKind, number: number) => `records/${kind}-${number}.json`;
export function parseRecordKind(path: string): RecordKind | null {
  const kind = /^records\/([a-z]+)-/.exec(path)?.[1];
  return hasKey(RECORDS, kind) ? kind : null;
}
export const isTextPath = (path: string) => /^(files|versions)\//.test(path);

const id = z.string().refine(isOpaqueId, { message: "is not an id" });
const wholeNumber = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const moment = createMomentSchema("is not a moment");
/** `a/b` for a folder b in a folder a; empty for the root. */
const folderPath = z
  .string()
  .refine((value) => value === "" || !isRefusal(parseFolderNames(value.split("/"))), {
    message: "is not a folder",
  });
const path = z.string().refine((value) => isTextPath(value) && entryMaxBytes(value) !== null);

/** Creates a schema for a list that stops at the first invalid element, because a million issues would not fit into memory. */
function createListSchema<Item extends z.ZodType>(
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
    for (const [i, element] of value.entries()) {
      const parsed = item.safeParse(element);
      if (!parsed.success) {
        const { message, path } = itemAt(parsed.error.issues, 0);
        return refuse(message, [i, ...path]);
      }
      items.push(parsed.data);
    }
    return items;
  });
  // The transform accepts unknown input; the cast states the type that it lets through.
  return list as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>;
}

const version = z.object({
  version: wholeNumber.min(1),
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
    last_version: wholeNumber.min(1),
    pin_slot: wholeNumber.optional(),
    created_at: moment,
    updated_at: moment,
    last_opened_at: moment.nullable(),
    deleted_at: moment.nullable(),
    expires_at: moment.nullable(),
    versions: createListSchema(version, ENTRIES_MAX),
  })
  .refine(({ versions, version: shown }) => versions.some((v) => v.version === shown), {
    message: "lacks the version it shows",
  })
  .refine(({ versions, last_version }) => versions.every((v) => v.version <= last_version))
  .refine(({ versions }) => new Set(versions.map((v) => v.version)).size === versions.length)
  .refine(({ deleted_at, expires_at }) => (deleted_at === null) === (expires_at === null));

const boardRecord = z.object({
  id,
  name: boardName,
  is_default: z.boolean(),
  created_at: moment,
  updated_at: moment,
});

const lines = createListSchema(boundedText(20_000), 1_000);
const position = z.object({ line_start: wholeNumber, line_end: wholeNumber });

const noteRecord = z
  .object({
    id,
    kind: z.enum(NOTE_KINDS),
    ...noteTargetFields,
    ...noteFields.shape,
    anchor: z
      .object({ version: wholeNumber, quote: lines, before: lines, after: lines, place: position })
      .nullable(),
    history: createListSchema(z.object({ content: boundedText(CONTENT_MAX), updated_at: moment }), 100),
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
  dismissed_announcements: createListSchema(z.string().max(100), 50),
  agent_instructions: z.object({ text: instructions, updated_at: moment }).nullable(),
  folders: createListSchema(folderPath, FOLDERS_MAX).default([]),
});

export const manifestRecord = z.object({
  format: z.literal(EXPORT_FORMAT),
  format_version: z.literal(READABLE_VERSIONS),
  created_at: moment,
  /** The numbers of records, only for showing progress. */
  counts: z.partialRecord(z.enum(RECORD_KINDS), wholeNumber).catch({}).default({}),
});

export const RECORDS = {
  files: fileRecord,
  boards: boardRecord,
  notes: noteRecord,
  reminders: reminderRecord,
} as const satisfies Record<RecordKind, z.ZodType>;

/** A record as written, with times as text, and below as read. */
export type Exported<Kind extends RecordKind> = z.input<(typeof RECORDS)[Kind]>;
export type Imported<Kind extends RecordKind> = z.output<(typeof RECORDS)[Kind]>;
export type ExportedSettings = z.input<typeof settingsRecord>;
export type ImportedSettings = z.output<typeof settingsRecord>;
