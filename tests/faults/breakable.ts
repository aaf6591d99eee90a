/** A store whose n-th call fails as if the database went away. */
import { AbstractCursor, MongoNetworkError } from "mongodb";
import type { Db } from "#db/client.ts";

export type Breakable = {
  /** Counts the calls while `work` runs; call number `failing`, from 1, fails. */
  during<T>(failing: number | null, work: () => Promise<T>): Promise<{ value: T; calls: number }>;
};

type Breaking = {
  fault?: () => Error;
  /** Reads one document at a time, so that a read can break off in its middle; each step counts as a call. */
  halfway?: boolean;
};

const VERBS = new Set(
  "aggregate bulkWrite countDocuments deleteMany deleteOne distinct find findOne findOneAndDelete findOneAndReplace"
    .split(" ")
    .concat("findOneAndUpdate", "insertMany", "insertOne", "replaceOne", "updateMany", "updateOne"),
);

const CURSORS = new Set(["find", "aggregate"]);

const gone = (): Error => new MongoNetworkError("the database is gone");

export function makeBreakable(db: Db, { fault = gone, halfway = false }: Breaking = {}): Breakable {
  let calls = 0;
  let failing: number | null = null;
  const strike = (): Error | null => {
    calls += 1;
    return calls === failing ? fault() : null;
  };
  for (const [name, collection] of Object.entries(db)) {
    if (typeof collection === "function") continue;
    const real = collection as unknown as Record<string, (...given: unknown[]) => unknown>;
    const breaking = new Proxy(real, {
      get(target, verb: string) {
        const value = Reflect.get(target, verb);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const error = VERBS.has(verb) ? strike() : null;
          if (error && !CURSORS.has(verb)) return Promise.reject(error);
          const result = value.apply(target, given);
          if (error) return makeFailing(result as AbstractCursor, error);
          return halfway && result instanceof AbstractCursor ? stepwise(result, strike) : result;
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

type Reading = { getMore: (...given: unknown[]) => Promise<unknown>; cursorInit: () => Promise<void> };

/** Like the driver, this cursor fails when it is awaited, not when it is made. */
function makeFailing(cursor: AbstractCursor, error: Error): AbstractCursor {
  (cursor as unknown as Reading).cursorInit = () => Promise.reject(error);
  return cursor;
}

/** The driver fetches later documents by `getMore`. A read that broke off fails again when it is repeated: the database stays away. */
function stepwise(cursor: AbstractCursor, strike: () => Error | null): AbstractCursor {
  const reading = cursor.batchSize(1) as unknown as Reading;
  const { getMore } = reading;
  let broken: Error | null = null;
  reading.getMore = async (...given) => {
    broken ??= strike();
    if (broken) throw broken;
    return getMore.apply(cursor, given);
  };
  return cursor;
}
