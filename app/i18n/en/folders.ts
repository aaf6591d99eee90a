import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolate } from "#app/i18n/isolate.ts";

const files = counted("file", "files");

export const folders = {
  title: "Folders",
  folder: "Folder",
  files,
  folders: counted("folder", "folders"),
  /** Read aloud before the parent folders of a file or folder. */
  where: "Folder path",
  allFiles: "All files",
  noFolder: "No folder",
  more: (count: number) => `${amount(count)} more`,
  /** Read aloud before the links to other pages of folders. */
  pages: "Pages",
  shownOf: (from: number, to: number, total: number) =>
    `Folders ${amount(from)}–${amount(to)} of ${amount(total)}`,
  newFile: "New file here",
  newFolder: "New folder",
  newFolderChoice: "New folder…",
  newName: "New folder name",
  name: "Folder name",
  create: "Create folder",
  edit: "Rename or move",
  parent: "In folder",
  save: "Save",
  zip: "Download as zip",
  share: "Share",
  shareHint: "A link to a folder has no view limit.",
  secretsLeftOut: "These files may hold secrets and are left out:",
  shareSecrets: "Share them, too",
  shareModes: { now: "Files as they are now", follow: "Always the newest files" },
  sharedFolder: "folder",
  followed: "always newest",
  shareSuspended: "Not available: the folder is empty or in the trash.",
  remove: "Delete",
  moveTo: "Move to folder",
  choose: "Choose a folder",
  pathHint: "Type a path, such as lib/parsers. Leave empty for no folder.",
  move: "Move",
  moveHere: (path: string) => `Move to ${isolate(path)}`,
  emptyTitle: "This folder is empty",
  empty: "Save a file here, or select files in the list and move them here.",
  emptyNested: "This folder has only folders. Open one above, or save a file here.",
  openReadme: "Open file",
  trashed: (name: string, count: number) =>
    count === 0
      ? `Moved folder ${isolate(name)} to trash`
      : `Moved folder ${isolate(name)} to trash with ${files(count)} in total`,
  inTrash: (count: number) => (count === 0 ? "Empty folder" : files(count)),
  restore: "Restore folder",
  done: {
    created: (name: string) => `Created folder ${isolate(name)}`,
    saved: (name: string) => `Saved folder ${isolate(name)}`,
    restored: (name: string, count: number) =>
      count === 0
        ? `Restored folder ${isolate(name)}`
        : `Restored folder ${isolate(name)} with ${files(count)} in total`,
  },
  movedTo: (count: number, name: string | undefined) =>
    name === undefined ? `Moved ${files(count)} out of folders` : `Moved ${files(count)} to ${isolate(name)}`,
  upload: {
    choose: "Upload folder",
    title: "Upload folder",
    stop: "Stop",
    undo: "Undo",
    close: "Close",
    show: "Show files",
    words: {
      reading: "Reading the folder…",
      progress: "{done} of {all} files",
      waiting: "Waiting a moment: too many uploads at once",
      none: "No files to upload in this folder.",
      tooMany: "More than {max} files. Upload a smaller folder.",
      created: "New: {count}",
      updated: "New versions: {count}",
      unchanged: "Unchanged: {count}",
      skipped: "Skipped: {count} ({names})",
      secrets: "Left out, may hold secrets: {count}. To save one, upload it by itself.",
      refused: "Not uploaded: {count}",
      moreFiles: "and {count} more",
      stopped: "Stopped. Uploaded files are kept.",
      unsent: "Could not be sent.",
      unreadable: "Could not be read.",
      undoing: "Undoing…",
      undone: "Undone. New files are in the trash, changed files have their text from before.",
      undoFailed: "Could not undo everything. Look in the folder and in the trash.",
    },
  },
};
