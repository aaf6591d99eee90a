import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const fileActions = {
  files: counted("file", "files"),
  languages: "Languages",
  moreLanguages: (count: number) => (count === 1 ? "and 1 more" : `and ${amount(count)} more`),
  activityTitle: "Activity",
  activity: (files: number) => `${files === 1 ? "1 new file" : `${amount(files)} new files`} in 6 months`,
  storage: "Storage",
  used: (used: string, max: string) => `${used} of ${max} used`,
  usedWhat: "Includes older versions, trash, notes and saved outputs.",
  newestVersions: (size: string) => `${size} in newest versions`,
  usedNearly: "Almost full: empty the trash",
  inTrash: (count: number) => `${amount(count)} in trash`,
  sample: "Add sample files",
  star: (name: string) => `Add ${isolateLtr(name)} to favourites`,
  unstar: (name: string) => `Remove ${isolateLtr(name)} from favourites`,
  pin: (name: string) => `Pin ${isolateLtr(name)}`,
  unpin: (name: string) => `Unpin ${isolateLtr(name)}`,
  starShort: "Favourite",
  pinShort: "Pin",
  trash: "Delete",
  more: "More actions",
  remind: "Remind me",
  rename: "Rename",
  moveTo: "Move",
  duplicate: "Duplicate",
  undo: "Undo",
  pinned: "Pinned",
  trashTitle: "Trash",
  choose: (name: string) => `Select ${isolateLtr(name)}`,
  chosen: "Actions for selected files",
  every: (max: number) => `The whole list instead (first ${amount(max)} files)`,
  chosenCount: "Selected:",
  clearChosen: "Clear",
  all: "All files in this list",
  favor: "Favourite",
  unfavor: "Unfavourite",
  tag: "Add tags",
  tagsToAdd: "Tags to add",
  zip: "Download as zip",
  remove: "Delete",
  details: "Details",
  saveDetails: "Save details",
  trashLead: "Files are deleted forever after 30 days.",
  trashEmptyTitle: "Trash is empty",
  trashEmpty: "Deleted files stay here for 30 days.",
  trashBroken: "Expired files are not being deleted right now. You can delete them yourself.",
  deletedAt: "Moved to trash",
  goesAt: "Deleted forever on",
  textStart: "The text begins:",
  goesNever: "No date yet",
  restore: "Restore",
  purge: "Delete now",
  purgeSure: "Delete forever",
  emptyTrash: "Empty trash",
  emptySure: (count: number) =>
    count === 0
      ? "Delete folders forever"
      : count === 1
        ? "Delete 1 file forever"
        : `Delete ${amount(count)} files forever`,
  trashed: (count: number, name?: string) =>
    count === 1
      ? `Moved ${name ? isolateLtr(name) : "a file"} to trash`
      : `Moved ${amount(count)} files to trash`,
  done: {
    restored: (count: number, name?: string) =>
      count === 1 && name ? `Restored ${isolateLtr(name)}` : `Restored ${amount(count)} files`,
    purged: () => "Deleted forever",
    emptied: (count: number) =>
      count === 1 ? "Deleted 1 file forever" : `Deleted ${amount(count)} files forever`,
    favored: (count: number) =>
      count === 1 ? "Added to favourites" : `Added ${amount(count)} files to favourites`,
    unfavored: (count: number) =>
      count === 1 ? "Removed from favourites" : `Removed ${amount(count)} files from favourites`,
    tagged: (count: number) => (count === 1 ? "Tagged 1 file" : `Tagged ${amount(count)} files`),
    pinned: () => "Pinned",
    unpinned: () => "Unpinned",
    described: () => "Details saved",
    moved_back: (count: number) => (count === 1 ? "Moved back" : `Moved ${amount(count)} files back`),
    sampled: (count: number) => `Added ${amount(count)} sample files`,
  },
};
