import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

/** The words of importing a library zip: the form, how far it is, and how it ended. */
export const imports = {
  head: "Import",
  lead: "Adds what is missing from an exported zip. Existing items don’t change.",
  field: "Zip file",
  hint: (max: string) => `Up to ${max}. You can review before importing.`,
  check: "Check zip",
  madeAt: "Exported",
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

  underWay: { waiting: "Waiting to start", checking: "Checking zip", importing: "Importing" },
  waitingFor: {
    worker: "No worker is running. The import starts when one is back.",
    turn: "The import starts when a worker is free.",
    switched_off: "Imports are turned off by your administrator.",
  },
  progress: (kind: string, processed: number, total: number | null) =>
    `${isolate(kind)} · ${amount(processed)}${total === null ? "" : ` of ${amount(total)}`}`,
  reading: "Reading zip",
  leave: "You can leave this page.",
  cancel: "Cancel import",
  cancelling: "Cancelling…",

  planHead: "Ready to import",
  settings: "Your own settings are kept; missing ones are added.",
  nothing: "Everything in this zip is already in your library.",
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
  failures: {
    too_long: "The import took too long.",
    library_full: "Your library is full. Empty the trash, then import again.",
    worker_lost: "The worker stopped several times while reading this zip.",
    zip_gone: "The zip is no longer stored. Choose it again.",
    fault: "Something went wrong. Try again later.",
  },
  where: (entry: string, record?: number, field?: string) =>
    [
      isolateLtr(entry),
      ...(record === undefined ? [] : [`record ${amount(record)}`]),
      ...(field === undefined ? [] : [`field ${isolateLtr(field)}`]),
    ].join(", "),
  damages: {
    not_a_zip: "Not a zip file, or incomplete.",
    too_many_entries: "Too many entries for an export.",
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
