/**
 * The keys of the search index are numbers, each made of a field and a run of a few folded characters. Two runs with characters
 * outside ASCII may share a number; the index then names one file too many, and reading the file shows it.
 */
import { findDefinitions } from "#domain/search/definitions.ts";
import { collectNamePrefixes, splitWords } from "#domain/search/name-words.ts";
import { foldCase } from "#domain/text/folded.ts";

/** The fields of a file. `text` contains everything that a file is found by. */
const FIELDS = {
  text: 0,
  name: 1,
  nameStart: 2,
  word: 3,
  wholeName: 4,
  tag: 5,
  wholeTag: 6,
  description: 7,
  definition: 8,
  wholeDefinition: 9,
  language: 10,
  definitionWord: 11,
} as const;
type Field = keyof typeof FIELDS;

const RUN_BITS = 24;
const RUNS = 2 ** RUN_BITS;
/** Each run of three ASCII characters has its own number below this. */
const ASCII_RUNS = 2 ** 21;
const RUN_LENGTH = 3;

const toKey = (field: Field, run: number) => FIELDS[field] * RUNS + run;

/** Returns the number of a run of three characters; 0 stands for a character missing at the end of a shorter one. */
function toRunNumber(a: number, b: number, c: number): number {
  if ((a | b | c) < 0x80) return (a << 14) | (b << 7) | c;
  const hash = Math.imul(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ c, 0xc2b2ae35) >>> 0;
  return ASCII_RUNS + (((hash ^ (hash >>> 15)) >>> 0) % (RUNS - ASCII_RUNS));
}

/** Returns the number of a complete text such as a name or a tag. */
function toTextNumber(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> (32 - RUN_BITS);
}

function toPrefixNumber(text: string): number {
  const [a = "", b = "", c = ""] = text;
  return toRunNumber(a.codePointAt(0) ?? 0, b.codePointAt(0) ?? 0, c.codePointAt(0) ?? 0);
}

/** Calls back for each run of three code points. */
function forEachRun(text: string, call: (run: number) => void): void {
  let [a, b] = [-1, -1];
  for (let i = 0; i < text.length; ) {
    const c = text.codePointAt(i) ?? 0;
    if (a >= 0) call(toRunNumber(a, b, c));
    [a, b] = [b, c];
    i += c > 0xffff ? 2 : 1;
  }
}

/** A reusable set of runs. Emptying it takes time only for the runs in it. */
const seenRuns = new Uint8Array(RUNS / 8);

/** Collects the distinct runs of the texts, sorted. Collecting stops soon after `max`. */
function collectRuns(texts: readonly string[], max: number): Uint32Array {
  const runs: number[] = [];
  const add = (run: number) => {
    const bit = 1 << (run & 7);
    const byte = seenRuns[run >> 3] ?? 0;
    if ((byte & bit) !== 0 || runs.length > max) return;
    seenRuns[run >> 3] = byte | bit;
    runs.push(run);
  };
  for (const text of texts) forEachRun(text, add);
  for (const run of runs) seenRuns[run >> 3] = 0;
  return Uint32Array.from(runs).sort();
}

export type TextsToIndex = {
  /** A name, or a path that ends with the name. */
  name: string;
  description: string;
  tags: readonly string[];
  language: string;
  body: string;
  max: number;
};

/** Returns the sorted keys of a file; null if its texts have more than `max` runs. */
export function collectKeys(input: TextsToIndex): Uint32Array | null {
  const [name, description, body] = [input.name, input.description, input.body].map(foldCase);
  const tags = input.tags.map(foldCase);
  const runs = collectRuns([name ?? "", description ?? "", ...tags, body ?? ""], input.max);
  if (runs.length > input.max) return null;
  const keys = new Set<number>();
  const addRuns = (field: Field, text: string) => forEachRun(text, (run) => keys.add(toKey(field, run)));
  const addText = (field: Field, text: string) => keys.add(toKey(field, toTextNumber(text)));
  addRuns("name", name ?? "");
  for (const fullName of listFullNames(name ?? "")) addText("wholeName", fullName);
  for (const start of listPrefixes(getFileName(name ?? "")))
    keys.add(toKey("nameStart", toPrefixNumber(start)));
  for (const start of collectNamePrefixes(input.name)) keys.add(toKey("word", toPrefixNumber(start)));
  for (const tag of tags) {
    addRuns("tag", tag);
    addText("wholeTag", tag);
    for (const start of listPrefixes(tag)) keys.add(toKey("tag", toPrefixNumber(start)));
  }
  addRuns("description", description ?? "");
  addText("language", input.language);
  for (const definition of findDefinitions(input.body, input.language)) {
    addRuns("definition", foldCase(definition.name));
    addText("wholeDefinition", foldCase(definition.name));
    for (const { start } of splitWords(definition.name))
      keys.add(toKey("definitionWord", toPrefixNumber(cutToRun(foldCase(definition.name.slice(start))))));
  }
  const fields = Uint32Array.from(keys).sort();
  const allKeys = new Uint32Array(runs.length + fields.length);
  // `text` is field 0, so its keys come first.
  allKeys.set(runs);
  allKeys.set(fields, runs.length);
  return allKeys;
}

const getFileName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** A name is found with and without its extension. */
function listFullNames(path: string): string[] {
  const name = getFileName(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name, name.slice(0, dot)] : [name];
}

/** Returns the first one, two and three characters. */
const listPrefixes = (text: string) =>
  Array.from({ length: RUN_LENGTH }, (_, i) => [...text.slice(0, 2 * RUN_LENGTH)].slice(0, i + 1).join(""));

const cutToRun = (text: string) => [...text.slice(0, 2 * RUN_LENGTH)].slice(0, RUN_LENGTH).join("");

/** The number of runs of a needle that a search reads. A longer needle is checked by reading the texts. */
const NEEDLE_RUNS_MAX = 6;

/** Returns keys that every file with the folded needle in this field has; none for a needle that is too short. */
export function needleKeys(field: Field, needle: string): number[] {
  const runs: number[] = [];
  forEachRun(needle, (run) => runs.push(toKey(field, run)));
  const distinct = [...new Set(runs)];
  if (distinct.length <= NEEDLE_RUNS_MAX) return distinct;
  const step = (distinct.length - 1) / (NEEDLE_RUNS_MAX - 1);
  return Array.from({ length: NEEDLE_RUNS_MAX }, (_, i) => distinct[Math.round(i * step)] ?? 0);
}

/** Returns the key of a needle's first three characters, for fields that index beginnings. */
export const startKey = (field: "nameStart" | "word" | "tag" | "definitionWord", needle: string) =>
  toKey(field, toPrefixNumber(cutToRun(needle)));

export const wholeKey = (field: "wholeName" | "wholeTag" | "wholeDefinition" | "language", text: string) =>
  toKey(field, toTextNumber(text));
