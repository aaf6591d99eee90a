import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const care = {
  files: counted("file", "files"),
  languages: "Languages",
  moreLanguages: (count: number) => (count === 1 ? "and 1 more" : `and ${amount(count)} more`),
  activityTitle: "Activity",
  activity: (files: number, days: number) =>
    `In the last half year ${files === 1 ? "1 file was" : `${amount(files)} files were`} saved for the first time, on ${days === 1 ? "1 day" : `${days} days`}.`,
  storage: "Storage",
  used: (used: string, max: string) => `${used} of ${max} used`,
  usedWhat: "All versions, the trash, notes and saved outputs count.",
  usedNearly: "Almost full: empty the trash",
  inBin: (count: number) => `${amount(count)} in the trash`,
  sample: "Start with a sample library",
  star: (name: string) => `Add ${isolateLtr(name)} to favourites`,
  unstar: (name: string) => `Remove ${isolateLtr(name)} from favourites`,
  pin: (name: string) => `Pin ${isolateLtr(name)}`,
  unpin: (name: string) => `Unpin ${isolateLtr(name)}`,
  starShort: "Favourite",
  pinShort: "Pin",
  trash: "Delete",
  undo: "Undo",
  favorites: "Favourites",
  pinned: "Pinned",
  bin: "Trash",
  choose: (name: string) => `Select ${isolateLtr(name)}`,
  chosen: "With the selected files",
  chosenCount: "Selected:",
  favor: "Favourite",
  unfavor: "Not favourite",
  tag: "Add tags",
  tagsToAdd: "Tags to add",
  zip: "Download as zip",
  remove: "Delete",
  details: "Edit details",
  saveDetails: "Save details",
  binLead: "Deleted files stay here until their date, then they go for good.",
  binEmptyTitle: "The trash is empty",
  binEmpty: "Files you delete wait here for 30 days, in case you want them back.",
  binBroken:
    "Files are not being removed at their date right now. Those that are past it are still here; you can delete them yourself.",
  deletedAt: "Deleted",
  goesAt: "Deleted for good on",
  goesNever: "no date yet",
  restore: "Restore",
  purge: "Delete now",
  purgeSure: "Delete for good",
  emptyBin: "Empty the trash",
  emptySure: (count: number) =>
    count === 1 ? "Delete 1 file for good" : `Delete ${amount(count)} files for good`,
  binned: (count: number, name?: string) =>
    count === 1
      ? `Moved ${name ? isolateLtr(name) : "a file"} to the trash`
      : `Moved ${amount(count)} files to the trash`,
  done: {
    restored: (count: number, name?: string) =>
      count === 1 && name ? `Restored ${isolateLtr(name)}` : `Restored ${amount(count)} files`,
    purged: () => "Deleted for good",
    emptied: (count: number) =>
      count === 1 ? "Deleted 1 file for good" : `Deleted ${amount(count)} files for good`,
    favored: (count: number) =>
      count === 1 ? "Added to favourites" : `Added ${amount(count)} files to favourites`,
    unfavored: (count: number) =>
      count === 1 ? "Removed from favourites" : `Removed ${amount(count)} files from favourites`,
    tagged: (count: number) => (count === 1 ? "Tagged 1 file" : `Tagged ${amount(count)} files`),
    pinned: () => "Pinned",
    unpinned: () => "Unpinned",
    described: () => "Details saved",
    sampled: (count: number) => `Here is a sample library of ${amount(count)} files`,
  },
};
