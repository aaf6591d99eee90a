import { amount } from "#app/i18n/amount.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

/** The words of the shelf: lists, one file, its views, and what is looked for. */
export const dashboard = {
  title: "Dashboard",
  hello: (name: string) => `Hello, ${isolate(name)}`,
  recent: "Newest files",
  all: (count: number) => (count === 1 ? "1 file in all" : `All ${amount(count)} files`),
  emptyTitle: "Your shelf is empty",
  empty:
    "Save your first file to begin: choose some from your computer, or paste a snippet and give it a name.",
  emptyAction: "Save your first file",
};

export const files = {
  title: "Files",
  emptyTitle: "No files yet",
  empty: "Files you save appear here, newest first.",
  /** Read out after the name of a language that leads to its files. */
  ofLanguage: "files",
  noneMatchTitle: "No file matches",
  noneMatch: "Take the filter away to see everything you keep.",
  removeFilter: (name: string) => `Remove the filter ${name}`,
  pages: "Pages",
  next: "Next page",
  first: "First page",
  newest: "Newest first",
  oldest: "Oldest first",
  cursorDamaged: "That page link was damaged; this is the first page.",
};

export const file = {
  version: (n: number) => `Version ${n}`,
  blank: "This file is empty",
  lines: (n: number) => (n === 1 ? "1 line" : `${amount(n)} lines`),
  download: "Download",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Copying failed",
  bidiControls:
    "This file contains invisible characters that change the order in which text is shown. They are drawn here by name: read with care.",
  tooLarge: "This file is too large to show here. Download it to read it.",
  numberedTo: (line: number) => `Only the first ${amount(line)} lines have numbers.`,
  plain: {
    too_long: "Shown without colours: the text is long.",
    too_nested: "Shown without colours: the text is nested too deeply.",
    too_slow: "Shown without colours: colouring this text takes too long.",
    too_large: "Shown without colours: the coloured text would be too large.",
    failed: "Shown without colours: this text could not be coloured.",
    busy: "Shown without colours: the server is busy. Load the page again in a moment.",
  },
  tags: "Tags",
  code: "Code",
};

export const viewers = {
  views: "Views",
  source: "Source",
  preview: "Preview",
  frame: (name: string) => `Preview of ${isolateLtr(name)}`,
  frameNote: "Shown without scripts, forms or anything from other sites.",
  contents: "Contents",
  drawing: (name: string) => `Drawing: ${isolateLtr(name)}`,
  background: "Background",
  backgrounds: { checkered: "Checkered", light: "Light", dark: "Dark" },
  blockedImage: "Image not shown",
  externalImage: "Image from another site, not loaded",
  footnoteBack: "Back to the text",
  done: "Done",
  open: "Not done",
  rows: (shown: number, all: number) => `The first ${amount(shown)} of ${amount(all)} rows are shown.`,
  columns: (shown: number, all: number) => `The first ${amount(shown)} of ${amount(all)} columns are shown.`,
  table: "Table",
  notRendered: {
    too_large: "Too large for a preview, so the source is shown.",
    too_deep: "Nested too deeply for a preview, so the source is shown.",
    too_slow: "The preview took too long, so the source is shown.",
    nothing_to_draw: "There is nothing to draw in this file, so the source is shown.",
    failed: "The preview could not be made, so the source is shown.",
    busy: "The server is busy, so the source is shown. Load the page again in a moment.",
    not_json: "This is not valid JSON, so the source is shown.",
  },
};

export const finding = {
  search: "Search",
  looking: (needle: string) => `“${isolate(needle)}”`,
  categories: {
    recent: "Recently opened",
    favorites: "Favourites",
    pinned: "Pinned",
    repo: "From repositories",
    large: "Large files",
    other: "Not from a repository",
  },
  clear: "Take all away",
  narrow: "Languages and tags",
  languages: "Languages",
  tags: "Tags",
  repos: "Repositories",
  previous: "Previous page",
  noHitTitle: (needle: string) => `Nothing has “${isolate(needle)}” in it`,
  noHit: "Names, descriptions, tags and texts were looked through. Try fewer letters, or another spelling.",
  everywhere: "Search all files",
  notYetTitle: "Nothing so far",
  notYet: "There are more files to look through. Go on to the next page.",
  noneYet: "Nothing here yet",
  noneOf: {
    recent: "Files you open appear here, the last one first.",
    favorites: "Files you mark as favourites appear here.",
    pinned: "Files you pin appear here.",
    repo: "Files that came from a repository appear here.",
    large: "Files of 100 KiB and more appear here.",
    other: "Files that came from no repository appear here.",
  },
  all: "Show all files",
};
