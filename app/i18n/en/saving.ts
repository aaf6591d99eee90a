import { amount } from "#app/i18n/amount.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";
import type { DetailName } from "#domain/files/file-details.ts";

const details: Record<DetailName, { label: string; hint?: string }> = {
  description: { label: "Description" },
  tags: { label: "Tags", hint: "Separate with commas." },
};

export const upload = {
  title: "New file",
  lead: `An existing name saves a new version. A path such as ${isolateLtr("tools/first.py")} creates the folder.`,
  chooseFiles: "Upload files",
  importZip: "Import this zip",
  invalidPath: "Use up to 255 ordinary characters for the file name, and for each folder in its path.",
  chooseHint: "UTF-8 text, up to 2 MiB each, or one zip of code.",
  orPaste: "Or paste code",
  about: "Details",
  fileName: "File name",
  /** Follows the name of the existing file. */
  nameExists: "exists here. Saving creates version {version} of it.",
  nameTaken: "exists here. Choose another name.",
  text: "Content",
  language: "Language",
  detect: "Auto-detect",
  details,
  save: "Save",
  saved: (name: string, version: number) =>
    version === 1 ? `Saved ${isolateLtr(name)}` : `Saved as version ${version} of ${isolateLtr(name)}`,
  noChanges: "No changes to save",
  notSaved: "These were not:",
  savedMany: (count: number) => `Saved ${amount(count)} files`,
};

export const drafts = {
  found: "You have an unsaved draft.",
  use: "Restore",
  drop: "Discard",
};

export const dropped = {
  drop: "Drop files to upload",
  saving: "Saving…",
  unsaved: "Files were not uploaded. Save your text first, or drop them on another page.",
  chosen: "Files to upload",
  save: "Upload",
  chooseOne: "Choose a file",
  chooseMany: "Choose files",
  chosenNone: "No file chosen",
  hint: "You can also drop or paste files here.",
  words: {
    unsent: "Could not upload. Your files are still here; try again.",
    unreadable: "Could not be read. Folders cannot be uploaded.",
    wrong: "Remove the files with errors, then upload.",
    loggedOut: "You were logged out. Log in from another tab, then upload again.",
    remove: "Remove",
    otherOne: "Upload the other file",
    others: "Upload the other {count} files",
  },
};

export const editor = {
  plain: "Plain editor",
  preview: "Preview",
  tooLarge: "This text is too large to save. The limit is 2 MiB. Shorten it, or split it into several files.",
  keys: "Tab indents. To leave the editor, press Esc, then Tab. Ctrl+F searches.",
  phrases: {
    Find: "Find",
    Replace: "Replace",
    next: "next",
    previous: "previous",
    all: "all",
    "match case": "match case",
    regexp: "regexp",
    "by word": "by word",
    replace: "replace",
    "replace all": "replace all",
    close: "close",
    "current match": "current match",
    "on line": "on line",
    "replaced match on line $": "replaced match on line $",
    "replaced $ matches": "replaced $ matches",
    "Go to line": "Go to line",
    go: "go",
    "Control character": "Control character",
    "Selection deleted": "Selection deleted",
  },
};
