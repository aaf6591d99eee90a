/**
 * The search index: for every run of three characters, the numbers of the files that have it, as ordinary documents that are
 * read by a range of their key alone: `<owner>:<gram>:<segment>.<batch>`. A number names one indexed state of one file and is
 * never used again; what a number stood for stops resolving once its file has another. Lists may name too much, never too little.
 */

import { Binary } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { PostingDoc } from "#db/search/documents.ts";
import { required } from "#domain/required.ts";
import { newToken } from "#platform/ids.ts";

export const SEGMENT_SIZE = 8_192;
const INSERT_BATCH = 5_000;

/** Takes `count` fresh numbers and answers the first of them. */
export async function takeNumbers(db: Db, ownerId: string, count: number): Promise<number> {
  const take = () =>
    db.search_numbers.findOneAndUpdate(
      { _id: ownerId },
      { $inc: { last: count } },
      { upsert: true, returnDocument: "after" },
    );
  // Of two first savings at once, one makes the counter and the other finds it.
  const taken = await take().catch((error) => (isDuplicateKey(error) ? take() : Promise.reject(error)));
  return required(taken, "counter after an upsert").last - count + 1;
}

/** Changes with every file that is indexed. */
export async function findLastNumber(db: Db, ownerId: string): Promise<number> {
  return (await db.search_numbers.findOne({ _id: ownerId }))?.last ?? 0;
}

type Numbered = { n: number; grams: Iterable<string> };

/** Many files in one call share their documents: a batch is one document for each gram and segment. */
export async function createPostings(
  db: Db,
  ownerId: string,
  files: Iterable<Numbered>,
  batch = newToken(6),
): Promise<void> {
  const lists = new Map<string, number[]>();
  for (const { n, grams } of files) {
    const segment = Math.floor(n / SEGMENT_SIZE);
    for (const gram of grams) {
      const key = `${gram}:${segment}`;
      const list = lists.get(key);
      if (list) list.push(n % SEGMENT_SIZE);
      else lists.set(key, [n % SEGMENT_SIZE]);
    }
  }
  const docs = [...lists].map(([key, places]) => ({
    _id: `${ownerId}:${key}.${batch}`,
    p: new Binary(encodePlaces(places)),
  }));
  for (let at = 0; at < docs.length; at += INSERT_BATCH)
    await db.postings.insertMany(docs.slice(at, at + INSERT_BATCH), { ordered: false });
}

export function encodePlaces(places: number[]): Uint8Array {
  const bytes = new Uint8Array(places.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, place] of places.entries()) view.setUint16(i * 2, place, true);
  return bytes;
}

/** The numbers that stand in the lists of every one of the grams. */
export type Candidates = {
  has(n: number): boolean;
  count: number;
  /** How many numbers there are in all. */
  known: number;
  numbers(): number[];
};

export async function findCandidates(db: Db, ownerId: string, grams: string[]): Promise<Candidates> {
  const [last, ...lists] = await Promise.all([
    findLastNumber(db, ownerId),
    ...grams.map((gram) => findLists(db, ownerId, gram)),
  ]);
  // met[n] is how many of the lists so far have n; a list that names it twice does not count it twice.
  const met = new Uint8Array(last + 1);
  for (const [i, docs] of lists.entries()) for (const doc of docs) meet(met, doc, i);
  const numbers = () => [...met.keys()].filter((n) => met[n] === grams.length);
  const count = met.reduce((sum, times) => sum + (times === grams.length ? 1 : 0), 0);
  return { has: (n) => met[n] === grams.length, count, known: last, numbers };
}

function findLists(db: Db, ownerId: string, gram: string): Promise<PostingDoc[]> {
  const prefix = `${ownerId}:${gram}`;
  // The character after the colon ends the range.
  return db.postings.find(postingRange(prefix)).toArray();
}

export const postingRange = (prefix: string) => ({ _id: { $gte: `${prefix}:`, $lt: `${prefix};` } });

export function placesIn({ p }: PostingDoc): number[] {
  const view = new DataView(p.buffer.buffer, p.buffer.byteOffset, p.position);
  return Array.from({ length: p.position >> 1 }, (_, i) => view.getUint16(i * 2, true));
}

export function parseSegment({ _id }: PostingDoc): number {
  return Number(_id.slice(_id.lastIndexOf(":") + 1, _id.lastIndexOf(".")));
}

function meet(met: Uint8Array, doc: PostingDoc, times: number): void {
  const { p } = doc;
  const bytes = p.buffer;
  const base = parseSegment(doc) * SEGMENT_SIZE;
  for (let i = 0; i + 1 < p.position; i += 2) {
    const n = base + (bytes[i] ?? 0) + (bytes[i + 1] ?? 0) * 256;
    if (met[n] === times) met[n] = times + 1;
  }
}
