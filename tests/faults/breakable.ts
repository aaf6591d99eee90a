/** A store whose n-th call fails as it does when the database goes away. */
import { AbstractCursor, MongoNetworkError } from "mongodb";
import type { Db } from "#db/client.ts";

export type Breakable = {
  /** Counts the calls while `work` runs; the one with the given number, from 1, fails. */
  during<T>(failing: number | null, work: () => Promise<T>): Promise<{ value: T; calls: number }>;
};

type Breaking = {
  fault?: () => Error;
  /** Everything is read one document at a time, so that a read can break off in its middle; each step counts as a call. */
  halfway?: boolean;
};

const VERBS = new Set(
  "aggregate bulkWrite countDocuments deleteMany deleteOne distinct find findOne findOneAndDelete findOneAndReplace"
    .split(" ")
    .concat("findOneAndUpdate", "insertMany", "insertOne", "replaceOne", "updateMany", "updateOne"),
);

const gone = (): Error => new MongoNetworkError("the database is gone");

export function makeBreakable(db: Db, { fault = gone, halfway = false }: Breaking = {}): Breakable {
  let calls = 0;
  let failing: number | null = null;
  const strike = () => {
    calls += 1;
    if (calls === failing) throw fault();
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
          const made = value.apply(target, given);
          return halfway && made instanceof AbstractCursor ? stepwise(made, strike) : made;
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

type Reading = { getMore: (...given: unknown[]) => Promise<unknown> };

/**
 * What the driver asks for after the first document, it asks for by `getMore`. A read that broke off breaks off again when it is
 * repeated: the database stays away.
 */
function stepwise(cursor: AbstractCursor, strike: () => void): AbstractCursor {
  const reading = cursor.batchSize(1) as unknown as Reading;
  const { getMore } = reading;
  let broken: unknown = null;
  reading.getMore = async (...given) => {
    if (broken) throw broken;
    try {
      strike();
    } catch (fault) {
      broken = fault;
      throw fault;
    }
    return getMore.apply(cursor, given);
  };
  return cursor;
}
