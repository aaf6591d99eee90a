/** A store whose n-th call fails as it does when the database goes away. */
import { MongoNetworkError } from "mongodb";
import type { Db } from "#db/client.ts";

export type Breakable = {
  /** Counts the calls while `work` runs; the one with the given number, from 1, fails. */
  during<T>(failing: number | null, work: () => Promise<T>): Promise<{ value: T; calls: number }>;
};

const VERBS = new Set(
  "aggregate bulkWrite countDocuments deleteMany deleteOne distinct find findOne findOneAndDelete findOneAndReplace"
    .split(" ")
    .concat("findOneAndUpdate", "insertMany", "insertOne", "replaceOne", "updateMany", "updateOne"),
);

export function makeBreakable(db: Db): Breakable {
  let calls = 0;
  let failing: number | null = null;
  const strike = () => {
    calls += 1;
    if (calls === failing) throw new MongoNetworkError("the database is gone");
  };
  for (const [name, collection] of Object.entries(db)) {
    if (typeof collection === "function") continue;
    const real = collection as unknown as Record<string, (...given: unknown[]) => unknown>;
    const breaking = new Proxy(real, {
      get(target, verb: string) {
        const value = Reflect.get(target, verb);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          if (VERBS.has(verb)) strike();
          return value.apply(target, given);
        };
      },
    });
    Object.assign(db, { [name]: breaking });
  }
  return {
    async during(which, work) {
      [calls, failing] = [0, which];
      try {
        return { value: await work(), calls };
      } finally {
        failing = null;
      }
    },
  };
}
