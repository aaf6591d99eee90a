import { amount } from "#app/i18n/amount.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

/** The words of the shelf: lists, one file, its views, and what is looked for. */
export const dashboard = {
  title: "Dashboard",
  hello: (name: string) => `Hello, ${isolate(name)}`,
  newest: "Newest files",
  all: (count: number) => (count === 1 ? "View 1 file" : `View all ${amount(count)} files`),
  emptyTitle: "No files yet",
  empty: "Upload files or paste code to get started.",
  emptyAction: "Add your first file",
};

export const files = {
  title: "Files",
  emptyTitle: "No files yet",
  empty: "Upload files or paste code with New.",
  /** Read out after the name of a language that leads to its files. */
  ofLanguage: "files",
  noneMatchTitle: "No matching files",
  noneMatch: "Remove a filter to see more.",
  removeFilter: (name: string) => `Remove filter ${name}`,
  pages: "Pages",
  next: "Next page",
  first: "First page",
  sort: "Sort",
  sorts: {
    created_at_desc: "Newest first",
    created_at_asc: "Oldest first",
    updated_at_desc: "Last edited first",
    updated_at_asc: "Last edited last",
    name_asc: "Name A–Z",
    name_desc: "Name Z–A",
    size_desc: "Largest first",
    size_asc: "Smallest first",
  },
  views: { rows: "List", cards: "Grid" },
  /** Read out before the time. */
  edited: "Edited",
  cursorDamaged: "That page link is broken. Showing the first page.",
};

export const file = {
  version: (n: number) => `Version ${n}`,
  blank: "This file is empty",
  lines: (n: number) => (n === 1 ? "1 line" : `${amount(n)} lines`),
  download: "Download",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy",
  bidiControls:
    "This file contains invisible characters that can hide what the code does. They are shown by name.",
  tooLarge: "This file is too large to show. Download it instead.",
  numberedTo: (line: number) => `Line numbers stop at line ${amount(line)}.`,
  plain: {
    too_long: "No highlighting: the file is too long.",
    too_nested: "No highlighting: the code is nested too deeply.",
    too_slow: "No highlighting: it took too long.",
    too_large: "No highlighting: the file is too large.",
    failed: "No highlighting: it failed for this file.",
    busy: "No highlighting: the server is busy. Reload in a moment.",
  },
  tags: "Tags",
  code: "Code",
  outline: "Outline",
  goToLine: "Go to line",
  go: "Go",
};

export const viewers = {
  views: "Views",
  source: "Source",
  preview: "Preview",
  frame: (name: string) => `Preview of ${isolateLtr(name)}`,
  frameNote: "Scripts, forms and external content are blocked.",
  contents: "Contents",
  drawing: (name: string) => `Image: ${isolateLtr(name)}`,
  background: "Background",
  backgrounds: { checkered: "Checkered", light: "Light", dark: "Dark" },
  blockedImage: "Image blocked",
  externalImage: "External image, not loaded",
  footnoteBack: "Back to text",
  done: "Done",
  open: "Not done",
  ticked: (done: boolean, version: number) => `${done ? "Task done" : "Task not done"} (version ${version})`,
  rows: (shown: number, all: number) => `Showing ${amount(shown)} of ${amount(all)} rows.`,
  columns: (shown: number, all: number) => `Showing ${amount(shown)} of ${amount(all)} columns.`,
  table: "Table",
  notRendered: {
    too_large: "No preview: the file is too large.",
    too_deep: "No preview: the content is nested too deeply.",
    too_slow: "No preview: it took too long.",
    nothing_to_draw: "No preview: there is nothing to draw.",
    failed: "No preview: the file could not be rendered.",
    busy: "No preview: the server is busy. Reload in a moment.",
    not_json: "No preview: this is not valid JSON.",
    not_notebook: "No preview: this is not a notebook.",
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
  clear: "Clear filters",
  narrow: "Languages and tags",
  languages: "Languages",
  tags: "Tags",
  repos: "Repositories",
  previous: "Previous page",
  noHitTitle: (needle: string) => `No results for “${isolate(needle)}”`,
  noHit: "Try fewer letters or another spelling.",
  everywhere: "Search all files",
  notYetTitle: "No results on this page",
  notYet: "There are more files to search. Go to the next page.",
  noneYet: "Nothing here yet",
  noneOf: {
    recent: "Files you open appear here.",
    favorites: "Favourite files appear here.",
    pinned: "Pinned files appear here.",
    repo: "Files imported from a repository appear here.",
    large: "Files of 100 KiB or more appear here.",
    other: "Files that are not from a repository appear here.",
  },
  all: "Show all files",
};
