import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

/** The words about what is made public. */
export const shares = {
  title: "Shares",
  lead: "What you have made public. Anyone who has an address can look. Once revoked, an address stops working at once.",
  emptyTitle: "Nothing is shared",
  empty: "Open a file and choose Share, or select several in the list to share them under one link.",
  toFiles: "To your files",
  share: "Share",
  shareChosen: "Share a link",
  shareTitle: (name: string) => `Share ${isolateLtr(name)}`,
  shareLead: (version: number) =>
    `Makes version ${version} public under an address of its own. Later edits, renames and versions do not change what it shows.`,
  what: "What it shows",
  modes: { full: "The whole text", preview: "A preview: its first lines" },
  lines: "Lines",
  linesHint: "A range such as 4-8, or nothing for all of them.",
  lifetime: "Public for",
  days: counted("day", "days"),
  forGood: "No end",
  maxViews: "Views at most",
  maxViewsHint: "Nothing for any number.",
  password: "Password",
  passwordHint: "At least 6 characters. It is not kept in readable form: tell it to your readers yourself.",
  make: "Make public",
  cancel: "Cancel",
  made: (count: number, name?: string) =>
    count === 1 && name
      ? `${isolateLtr(name)} is public now`
      : `${amount(count)} files are public under one link`,
  revoked: "The share is revoked",
  address: (name: string) => `Address of ${isolateLtr(name)}`,
  open: "Open",
  revoke: "Revoke",
  revokeSure: "Revoke for good",
  until: "Until",
  since: "Shared",
  views: "Views",
  viewsOf: (views: number, left: number | null) =>
    left === null ? `${amount(views)}` : `${amount(views)}, ${amount(left)} left`,
  version: (n: number) => `version ${n}`,
  range: (range: string) => `lines ${isolateLtr(range)}`,
  preview: "preview",
  protected: "password",
  several: counted("file", "files"),
  usedUp: "Used up: nobody can open it any more.",
  suspended: "Suspended: the file is in the trash.",
  partly: (living: number, all: number) =>
    `${living} of ${all} files are shown; the others are in the trash.`,
  shared: "Shared file",
  sharedMany: counted("shared file", "shared files"),
  lockedTitle: "A shared file",
  lockedPassword: "It is protected by a password. Whoever gave you the address can tell you.",
  lockedViews: (left: number) =>
    left === 1
      ? "It can be opened once more. Opening it uses that up."
      : `It can be opened ${amount(left)} more times. Opening it uses one of them up.`,
  openIt: "Open it",
  previewNote: "This is a preview: only the beginning was shared.",
  publicUntil: "Public until",
  raw: "Raw",
  save: "Save to my library",
  logInToSave: "Log in to save it",
  yours: "You share this. Your own visits are not counted.",
  toShares: "Your shares",
  zip: "Download as zip",
  back: (count: number) => `All ${amount(count)} files`,
};
