import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const search = {
  title: "Search",
  titleFor: (q: string) => `Search: ${isolate(q)}`,
  button: "Search",
  kinds: "Result types",
  all: "All",
  tabs: { files: "Files", notes: "Notes", repos: "Repositories" },
  /** An exact total, an estimate by the index, and a lower bound. */
  count: {
    exact: amount,
    at_most: (count: number) => `about ${amount(count)}`,
    at_least: (count: number) => `${amount(count)}+`,
  },
  results: "Results",
  without: (word: string) => `Without ${isolate(word)}`,
  moreLines: counted("more line", "more lines"),
  allLines: (count: number) => `See all ${amount(count)} in the file`,
  note: "Note",
  edited: "Edited",
  narrowTo: (name: string) => `Only ${isolate(name)}`,
  help: "Narrow your search",
  helps: {
    lang: "files in a language",
    tag: "files with a tag",
    in: "files, notes or repos only",
    path: "part of a path",
    without: "leave out a word; -lang:py leaves out a language",
    quotes: "exact text",
  },
  startTitle: "Find anything in your library",
  start: "Search file names, code, notes and mirrored repositories.",
  unknownLanguages: (names: string) => `No language is called ${names}.`,
  unknownKind: (name: string) =>
    `in: takes files, notes or repos, not ${isolate(name)}. For a folder, use ${isolate(`path:${name}/`)}.`,
  noHit: "Check the spelling or use fewer words.",
  didYouMean: "Did you mean:",
  dropFilters: "Search without filters",
  lastPage: "No more results. Add a word to narrow your search.",
};
