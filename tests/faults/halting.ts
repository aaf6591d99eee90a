/** Collections in which one call that writes many documents stops halfway: half of them are written, then the server is gone. */

import { type Collection, type Document, MongoNetworkError, MongoServerError } from "mongodb";
import type { Db } from "#db/client.ts";
import { itemAt, required } from "#domain/required.ts";

/** The origin of a call, and how many of its documents it wrote. */
export type Halt = { stack: string; written: number; of: number };

export type Halting = {
  db: Db;
  /**
   * The n-th call that writes many, from 1, stops halfway while `work` runs; 0 stops none. Returns the number of documents of each call.
   */
  during(nth: number, work: () => Promise<void>): Promise<{ sizes: number[]; halt: Halt | null }>;
};

type Call = (...given: unknown[]) => Promise<unknown>;
type HalfCall = (target: Collection, call: Call, given: unknown[]) => Promise<Omit<Halt, "stack">>;

/** Errors that a driver reports when the primary leaves during a write. */
const LOST = [
  () => new MongoNetworkError("connection closed"),
  () => new MongoServerError({ ok: 0, code: 11602, errmsg: "operation was interrupted" }),
];

const HALVES: Record<string, HalfCall> = {
  updateMany: halveMatched,
  deleteMany: halveMatched,
  insertMany: halveListed,
  bulkWrite: halveListed,
};

export function makeHalting(db: Db): Halting {
  let sizes: number[] = [];
  let halting = 0;
  let halt: Halt | null = null;

  async function stopHalfway(target: Collection, verb: string, callArguments: unknown[], stack: string) {
    const call = Reflect.get(target, verb) as Call;
    const halved = await required(HALVES[verb])(target, call.bind(target), callArguments);
    halt = { stack, ...halved };
    throw itemAt(LOST, halting % LOST.length)();
  }
  const proxyTo = (collection: Collection) =>
    new Proxy(collection, {
      get(target, verb: string) {
        const member = Reflect.get(target, verb);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (!HALVES[verb]) return member.apply(target, given);
          const nth = sizes.push(0);
          if (nth === halting) return stopHalfway(target, verb, given, new Error("stopped").stack ?? "");
          return (member.apply(target, given) as Promise<Document>).then((result) => {
            sizes[nth - 1] = Array.isArray(given[0])
              ? given[0].length
              : (result.deletedCount ?? result.matchedCount);
            return result;
          });
        };
      },
    });
  return {
    db: wrapCollections(db, proxyTo),
    async during(nth, work) {
      [sizes, halting, halt] = [[], nth, null];
      try {
        await work();
      } finally {
        halting = 0;
      }
      return { sizes: [...sizes], halt };
    },
  };
}

function wrapCollections(db: Db, wrap: (collection: Collection) => Collection): Db {
  const isCollection = (value: object) => "collectionName" in value;
  const entries = Object.entries(db).map(([name, value]) => [
    name,
    typeof value === "object" && isCollection(value) ? wrap(value as unknown as Collection) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The greater half, so that two or more are divided. */
const takeHalf = <T>(all: readonly T[]) =>
  all.length > 1 ? all.slice(0, Math.floor((all.length + 1) / 2)) : [];

async function halveMatched(target: Collection, call: Call, [filter, ...rest]: unknown[]) {
  const matched = await target
    .find(filter as Document)
    .project({ _id: 1 })
    .sort({ _id: 1 })
    .toArray();
  const chosen = takeHalf(matched).map(({ _id }) => _id);
  if (chosen.length > 0) await call({ $and: [filter, { _id: { $in: chosen } }] }, ...rest);
  return { written: chosen.length, of: matched.length };
}

async function halveListed(_: Collection, call: Call, [list, ...rest]: unknown[]) {
  const all = list as unknown[];
  const chosen = takeHalf(all);
  if (chosen.length > 0) await call(chosen, ...rest);
  return { written: chosen.length, of: all.length };
}
