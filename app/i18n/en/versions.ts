import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

/** The words of a file's versions and their differences. */
export const versions = {
  edit: "Edit",
  editTitle: (name: string) => `Edit ${isolateLtr(name)}`,
  editLead: (version: number) =>
    `A changed text or name is saved as version ${version + 1}; earlier versions are kept.`,
  keyHint: "Ctrl+S saves.",
  cancel: "Cancel",
  save: "Save",
  draftFound: "This browser kept a text of yours that was not saved.",
  draftUse: "Bring it back",
  draftDrop: "Throw it away",
  conflictTitle: "Someone saved before you",
  conflictMerged:
    "Your text and the newer version are put together below. Nothing collides: read it over and save.",
  conflictCollides: (count: number) =>
    count === 1
      ? "Your text and the newer version are put together below. In one place both changed the same lines: choose between the markers, then save."
      : `Your text and the newer version are put together below. In ${amount(count)} places both changed the same lines: choose between the markers, then save.`,
  merged: "Put together",
  mine: "Your text",
  theirs: (version: number) => `Version ${version}`,
  whatTheyChanged: "What changed meanwhile",
  goneTitle: "The file is gone",
  gone: "The file was removed while you were editing. Your text is here: save it as a file of its own.",
  history: "History",
  historyTitle: (name: string) => `History of ${isolateLtr(name)}`,
  list: "Versions",
  version: "Version",
  saved: "Saved",
  size: "Size",
  lines: "Lines",
  actions: "Actions",
  newest: "Newest",
  view: (version: number) => `View version ${version}`,
  download: (version: number) => `Download version ${version}`,
  changes: (version: number) => `Changes in version ${version}`,
  restore: (version: number) => `Restore version ${version}`,
  viewShort: "View",
  downloadShort: "Download",
  changesShort: "Changes",
  restoreShort: "Restore",
  restored: (name: string, from: number, version: number) =>
    `Version ${from} of ${isolateLtr(name)} is back, as version ${version}`,
  older: "Older versions",
  backToFile: "Back to the file",
  old: (version: number, newest: number) => `This is version ${version}. The newest is version ${newest}.`,
  toNewest: "Show the newest",
  compare: "Compare",
  compareTitle: (from: number, to: number) => `Version ${from} and version ${to}`,
  from: "From version",
  to: "To version",
  added: counted("line added", "lines added"),
  removed: counted("line removed", "lines removed"),
  same: "The two versions have the same text.",
  unchanged: counted("unchanged line", "unchanged lines"),
  notCompared: {
    too_large: "These versions are too large to compare here. Download them to compare them.",
    too_slow: "Comparing these versions takes too long. Download them to compare them.",
    failed: "These versions could not be compared. Download them to compare them.",
    busy: "The server is busy. Load the page again in a moment.",
  },
  tooMany: "There are more changes than this page shows; the rest is left out.",
  diff: "Changes",
};
