import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

/** The words of importing a library zip: the form, how far it is, and how it ended. */
export const imports = {
  head: "Import",
  lead: "Adds what is in an exported zip. Nothing you have is changed, and importing the same zip twice adds nothing.",
  field: "Zip to import",
  hint: (max: string) => `Up to ${max}. You see what would be added before anything is imported.`,
  check: "Check zip",
  madeAt: "Exported",
  kinds: {
    files: "Files",
    versions: "Versions",
    boards: "Boards",
    notes: "Notes",
    reminders: "Reminders",
  },
  columns: { what: "What", willAdd: "To add", added: "Added", here: "Existing", left: "Left out" },
  leftWhy:
    "Left out: items with no room here, items whose file or board is missing, and items whose time in the trash is over.",
  renamed: counted(
    "file has a name that is taken here. It gets a number after its name.",
    "files have names that are taken here. They get a number after their names.",
  ),

  underWay: { waiting: "Waiting to start", checking: "Checking the zip", importing: "Importing" },
  waitingFor: {
    worker: "No worker is running. It starts when one is back.",
    turn: "It starts when a worker is free.",
    switched_off: "Imports are switched off by the administrator.",
  },
  progress: (kind: string, processed: number, total: number | null) =>
    `${isolate(kind)} · ${amount(processed)}${total === null ? "" : ` of ${amount(total)}`}`,
  reading: "Reading the zip",
  leave: "You can leave this page. The import continues and its result is shown here.",
  cancel: "Cancel import",
  cancelling: "Cancelling…",

  planHead: "Ready to import",
  settings: "Language, time zone, keys and agent instructions are taken where you have not chosen any.",
  nothing: "Everything in this zip is already here. There is nothing to import.",
  start: "Import now",
  discard: "Do not import",
  close: "Close",
  viewFiles: "Show files",

  ended: {
    done: "Import finished",
    refused: "This zip cannot be imported",
    failed: "Import failed",
    cancelled: "Import cancelled",
  },
  nothingImported: "Nothing was imported.",
  continues: "What was added stays. Import the same zip again to add the rest.",
  failures: {
    too_long: "It took too long and was stopped.",
    library_full: "Your library has no room for it. Empty the trash, then import the zip again.",
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
    not_a_zip: "This is not a zip, or it is incomplete.",
    too_many_entries: "It has more entries than an export can have.",
    unknown_path: "It has an entry that no export has.",
    not_a_file: "It has an entry that is not a plain file.",
    unreadable: "It has an entry that is encrypted or packed in an unknown way.",
    too_large: "It has an entry that is too large.",
    duplicate: "It has an entry twice.",
    overlapping: "Its entries overlap.",
    bomb: "It unpacks to far more than its size.",
    damaged_entry: "An entry is damaged.",
    missing: "An entry is missing.",
    not_json: "An entry is not valid JSON.",
    not_a_list: "An entry is not a list of records.",
    too_deep: "A record is nested too deeply.",
    invalid_record: "A record is not valid.",
    too_many_records: "It has more records than an export can have.",
    duplicate_record: "A record is there twice.",
    text_used_twice: "Two versions use the same text.",
    unclaimed: "A text belongs to no record.",
    not_a_text: "An entry is not a text.",
    too_costly: "Reading it takes more memory or time than an import may use.",
  },
};
