import { amount } from "#app/i18n/amount.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

/** The words of what brings text in: upload, drop and editor. */
export const upload = {
  title: "Save files",
  lead: "Saving a name you already have keeps the old text as an earlier version.",
  chooseFiles: "Files from your computer",
  chooseHint: "Several at once; text in UTF-8, 2 MiB each at most.",
  orPaste: "Or paste text",
  about: "Details",
  fileName: "File name",
  text: "Text",
  language: "Language",
  detect: "Detect automatically",
  description: "Description",
  tags: "Tags",
  tagsHint: "Separated by commas.",
  save: "Save",
  saved: (name: string, version: number) =>
    version === 1 ? `Saved ${isolateLtr(name)}` : `Saved ${isolateLtr(name)}, version ${version}`,
  savedMany: (count: number) => `Saved ${amount(count)} files`,
};

export const dropped = {
  drop: "Drop files to save them",
  chosen: "What will be saved",
  chooseOne: "Choose a file",
  chooseMany: "Choose files",
  chosenNone: "No file chosen",
  hint: "You can also drop or paste them here.",
  words: {
    unsent: "This could not be sent. Nothing is lost: try again in a moment.",
    unreadable: "This cannot be read. Folders cannot be saved.",
    wrong: "Remove the files that cannot be saved, then save the rest.",
    loggedOut: "You were logged out. Log in in another tab, then save again: nothing is lost.",
    remove: "Remove",
  },
};

export const editor = {
  plain: "Plain text field",
  keys: "Tab indents. Escape, then Tab, leaves the field. Ctrl+F searches in it.",
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
