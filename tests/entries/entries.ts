/** Every address of the product: its JSON API and its pages. */
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { CONTENT_MAX, TITLE_MAX } from "#domain/notes/note.ts";
import { NEEDLE_MAX } from "#domain/text/folded.ts";
import { ACCOUNT_API, ACCOUNT_PAGES } from "./account.ts";
import { ADMINISTRATION_API, ADMINISTRATION_PAGES } from "./administration.ts";
import { CODE_API, CODE_PAGES } from "./code.ts";
import type { Entry } from "./entry.ts";
import { FILES_API, FILES_PAGES } from "./files.ts";
import { FOLDERS_API } from "./folders.ts";
import { LINKS_API, LINKS_PAGES } from "./links.ts";
import { MIRRORS_API, MIRRORS_PAGES } from "./mirrors.ts";
import { NOTES_API, NOTES_PAGES } from "./notes.ts";
import { REMINDERS_API, REMINDERS_PAGES } from "./reminders.ts";
import { SEARCH_API, SEARCH_PAGES } from "./search.ts";

export const API_ENTRIES: readonly Entry[] = [
  ...FILES_API,
  ...FOLDERS_API,
  ...SEARCH_API,
  ...NOTES_API,
  ...REMINDERS_API,
  ...LINKS_API,
  ...MIRRORS_API,
  ...CODE_API,
  ...ADMINISTRATION_API,
  ...ACCOUNT_API,
];

/** The entries of accounts come last: the last of them log everybody out. */
export const PAGE_ENTRIES: readonly Entry[] = [
  ...FILES_PAGES,
  ...SEARCH_PAGES,
  ...NOTES_PAGES,
  ...REMINDERS_PAGES,
  ...LINKS_PAGES,
  ...MIRRORS_PAGES,
  ...CODE_PAGES,
  ...ADMINISTRATION_PAGES,
  ...ACCOUNT_PAGES,
];

/** The address for agents, which only some tests ask. */
export const AGENT_ENTRY: Entry = {
  call: "POST /mcp",
  door: "person",
  takes: { q: NEEDLE_MAX, content: CONTENT_MAX, title: TITLE_MAX, file: BODY_MAX_BYTES },
};

/** One line for each address without a row and each row without an address. */
export function compareEntries(offered: readonly string[], entries: readonly Entry[]): string[] {
  const calls = entries.map(({ call }) => call as string);
  return [
    ...offered
      .filter((call) => !calls.includes(call))
      .map((call) => `${call} has no row yet: add one to the file of its noun in tests/entries`),
    ...calls
      .filter((call) => !offered.includes(call))
      .map((call) => `${call} is no address of the product: remove its row from tests/entries`),
  ];
}
