/**
 * What the search index files a text under: numbers, each made of a field and of a few folded characters. Two different runs may share a
 * number where characters outside ASCII are in them; the index then names a file too many, and reading the file shows it.
 */
import { findDefinitions } from "#domain/search/definitions.ts";
import { folded } from "#domain/search/folded.ts";
import { collectNamePrefixes, splitWords } from "#domain/search/name-words.ts";

/** What is known of a file apart from its whole text. `text` has everything the file is found by. */
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
/** Runs of three ASCII characters have a number each, below this one. */
const ASCII_RUNS = 2 ** 21;
const RUN_LENGTH = 3;

const toKey = (field: Field, run: number) => FIELDS[field] * RUNS + run;

/** The number of a run of three characters; 0 stands for a character that is missing at the end of a shorter one. */
function numberRun(a: number, b: number, c: number): number {
  if ((a | b | c) < 0x80) return (a << 14) | (b << 7) | c;
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ c, 0xc2b2ae35) >>> 0;
  return ASCII_RUNS + (((mixed ^ (mixed >>> 15)) >>> 0) % (RUNS - ASCII_RUNS));
}

/** The number of a whole text, as a name or a tag. */
function numberText(text: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return (mixed ^ (mixed >>> 15)) >>> (32 - RUN_BITS);
}

function numberPrefix(text: string): number {
  const [a = "", b = "", c = ""] = text;
  return numberRun(a.codePointAt(0) ?? 0, b.codePointAt(0) ?? 0, c.codePointAt(0) ?? 0);
}

/** Calls back for every run of three characters. Characters are code points. */
function eachRun(text: string, call: (run: number) => void): void {
  let [a, b] = [-1, -1];
  for (let at = 0; at < text.length; ) {
    const c = text.codePointAt(at) ?? 0;
    if (a >= 0) call(numberRun(a, b, c));
    [a, b] = [b, c];
    at += c > 0xffff ? 2 : 1;
  }
}

/** A set of runs that is emptied in the time of what is in it. */
const met = new Uint8Array(RUNS / 8);

/** Every run of the texts once, in order; more than `max` are not all returned. */
function collectRuns(texts: readonly string[], max: number): Uint32Array {
  const runs: number[] = [];
  const add = (run: number) => {
    const bit = 1 << (run & 7);
    const byte = met[run >> 3] ?? 0;
    if ((byte & bit) !== 0 || runs.length > max) return;
    met[run >> 3] = byte | bit;
    runs.push(run);
  };
  for (const text of texts) eachRun(text, add);
  for (const run of runs) met[run >> 3] = 0;
  return Uint32Array.from(runs).sort();
}

export type TextsToIndex = {
  /** A name, or a path whose last part is the name. */
  name: string;
  description: string;
  tags: readonly string[];
  language: string;
  body: string;
  max: number;
};

/** What one file is filed under, in order; null where that is more than `max`. */
export function collectKeys(input: TextsToIndex): Uint32Array | null {
  const [name, description, body] = [input.name, input.description, input.body].map(folded);
  const tags = input.tags.map(folded);
  const runs = collectRuns([name ?? "", description ?? "", ...tags, body ?? ""], input.max);
  if (runs.length > input.max) return null;
  const keys = new Set<number>();
  const addRuns = (field: Field, text: string) => eachRun(text, (run) => keys.add(toKey(field, run)));
  const addWhole = (field: Field, text: string) => keys.add(toKey(field, numberText(text)));
  addRuns("name", name ?? "");
  for (const whole of wholeNames(name ?? "")) addWhole("wholeName", whole);
  for (const start of prefixes(lastPart(name ?? ""))) keys.add(toKey("nameStart", numberPrefix(start)));
  for (const start of collectNamePrefixes(input.name)) keys.add(toKey("word", numberPrefix(start)));
  for (const tag of tags) {
    addRuns("tag", tag);
    addWhole("wholeTag", tag);
    for (const start of prefixes(tag)) keys.add(toKey("tag", numberPrefix(start)));
  }
  addRuns("description", description ?? "");
  addWhole("language", input.language);
  for (const definition of findDefinitions(input.body, input.language)) {
    addRuns("definition", folded(definition.name));
    addWhole("wholeDefinition", folded(definition.name));
    for (const { start } of splitWords(definition.name))
      keys.add(toKey("definitionWord", numberPrefix(cutToRun(folded(definition.name.slice(start))))));
  }
  const fields = Uint32Array.from(keys).sort();
  const all = new Uint32Array(runs.length + fields.length);
  // The field of texts is the first, so all of it comes before the others.
  all.set(runs);
  all.set(fields, runs.length);
  return all;
}

const lastPart = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** A name is looked up with and without its extension. */
function wholeNames(path: string): string[] {
  const name = lastPart(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name, name.slice(0, dot)] : [name];
}

/** The first one, two and three characters. */
const prefixes = (text: string) =>
  Array.from({ length: RUN_LENGTH }, (_, i) => [...text.slice(0, 2 * RUN_LENGTH)].slice(0, i + 1).join(""));

/** The first three characters. */
const cutToRun = (text: string) => [...text.slice(0, 2 * RUN_LENGTH)].slice(0, RUN_LENGTH).join("");

/** Runs of a needle that a search reads. A longer one is checked by reading the texts. */
const NEEDLE_RUNS_MAX = 6;

/** Every file with the folded needle in this field has all of these; none for a needle that is too short. */
export function needleKeys(field: Field, needle: string): number[] {
  const runs: number[] = [];
  eachRun(needle, (run) => runs.push(toKey(field, run)));
  const distinct = [...new Set(runs)];
  if (distinct.length <= NEEDLE_RUNS_MAX) return distinct;
  const step = (distinct.length - 1) / (NEEDLE_RUNS_MAX - 1);
  return Array.from({ length: NEEDLE_RUNS_MAX }, (_, i) => distinct[Math.round(i * step)] ?? 0);
}

/** The key of a needle's first three characters, for a field that holds beginnings. */
export const startKey = (field: "nameStart" | "word" | "tag" | "definitionWord", needle: string) =>
  toKey(field, numberPrefix(cutToRun(needle)));

export const wholeKey = (field: "wholeName" | "wholeTag" | "wholeDefinition" | "language", text: string) =>
  toKey(field, numberText(text));
