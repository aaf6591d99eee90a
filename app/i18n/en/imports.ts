import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";
import { IMPORT_FAILURE_MESSAGES, type ImportFailure } from "#domain/library-zip/library-import.ts";

const IMPORT_FAILURE_WORDS: Record<ImportFailure, string> = IMPORT_FAILURE_MESSAGES;

export const imports = {
  head: "Import",
  lead: "Choose an exported zip to add what is missing, or any zip of code to add its text files.",
  field: "Zip file",
  hint: (max: string) => `Up to ${max}. You can review before importing.`,
  check: "Check zip",
  madeAt: "Exported on",
  kinds: {
    files: "Files",
    versions: "Versions",
    boards: "Boards",
    notes: "Notes",
    reminders: "Reminders",
  },
  columns: { what: "Type", willAdd: "To add", added: "Added", here: "Existing", left: "Skipped" },
  leftWhy: "Skipped: no space left, file or board missing, or expired from the trash.",
  renamed: counted(
    "name is taken; a number will be added to it.",
    "names are taken; a number will be added to them.",
  ),

  goesTo: (folder: string) => `Goes to: ${isolateLtr(folder)}`,
  codeVersions: "A changed file gets a new version.",
  noTexts: "No text files to import in this zip.",
  junk: "Ignored:",
  leftOut: counted("file skipped", "files skipped"),
  leftOutMore: (count: number) => `and ${amount(count)} more`,
  leftOutWhy: {
    not_text: "not UTF-8 text",
    too_large: "larger than 2 MiB",
    bad_name: "name not allowed",
    name_taken: "a folder or file has this name",
    too_deep: "more than 16 folders deep",
    outside: "path leads outside the zip",
    duplicate: "same path twice",
    not_a_file: "a link, not a file",
    encrypted: "encrypted or unknown compression",
    damaged: "damaged",
    no_folder: "too many folders in your library",
    may_hold_secrets: "may hold secrets; upload it by itself to save it",
  },

  underWay: { waiting: "Waiting to start", checking: "Checking zip", importing: "Importing" },
  waitingFor: {
    worker: "No worker is running. The import starts when one is back.",
    turn: "The import starts when a worker is free.",
    switched_off: "Imports are turned off by your administrator.",
  },
  progress: (kind: string, processed: number, total: number | null) =>
    `${isolate(kind)} · ${amount(processed)}${total === null ? "" : ` of ${amount(total)}`}`,
  reading: "Reading zip",
  next: "The zip is checked first. Then you see here what it adds, and choose Import.",
  leave: "This page updates by itself. You can leave it.",
  cancel: "Cancel import",
  cancelling: "Cancelling…",

  planHead: "Ready to import",
  emptyHead: "Nothing to import",
  settings: "Your own settings are kept; missing ones are added.",
  nothing: "Everything in this zip is already in your library.",
  trashed: counted("file of this zip is in the trash.", "files of this zip are in the trash."),
  openTrash: "Open trash",
  start: "Import",
  discard: "Cancel",
  close: "Close",
  viewFiles: "View files",

  ended: {
    done: "Import finished",
    refused: "This zip can’t be imported",
    failed: "Import failed",
    cancelled: "Import cancelled",
  },
  nothingImported: "Nothing was imported.",
  continues: "Added items stay. Import the zip again to add the rest.",
  failures: IMPORT_FAILURE_WORDS,
  where: (entry: string, record?: number, field?: string) =>
    [
      isolateLtr(entry),
      ...(record === undefined ? [] : [`record ${amount(record)}`]),
      ...(field === undefined ? [] : [`field ${isolateLtr(field)}`]),
    ].join(", "),
  damages: {
    not_a_zip: "Not a zip file, or incomplete.",
    too_many_entries: "Too many entries.",
    unknown_path: "Contains an entry that is not part of an export.",
    not_a_file: "Contains an entry that is not a file.",
    unreadable: "Contains an encrypted entry or an unknown format.",
    too_large: "Contains an entry that is too large.",
    duplicate: "Contains the same entry twice.",
    overlapping: "Contains overlapping entries.",
    bomb: "Unpacks to far more than its size.",
    damaged_entry: "Contains a damaged entry.",
    missing: "An entry is missing.",
    not_json: "Contains invalid JSON.",
    not_a_list: "Contains an entry that is not a list.",
    too_deep: "Contains a record that is nested too deeply.",
    invalid_record: "Contains an invalid record.",
    too_many_records: "Too many records for an export.",
    duplicate_record: "Contains the same record twice.",
    text_used_twice: "Two versions share the same text.",
    unclaimed: "Contains a text without a record.",
    not_a_text: "Contains an entry that is not text.",
    too_costly: "Needs too much memory or time to read.",
  },
};
