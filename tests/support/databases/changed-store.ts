/** A store in which one verb of one collection is changed: it fails, or something happens before or after it. */
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";

// biome-ignore lint/suspicious/noExplicitAny: the verbs of collections take and return all kinds of things
type Verb = (...words: any[]) => any;

/** Calls `instead` in place of the verb, with the real verb and the arguments. */
export function replaceVerb(
  db: Db,
  collection: CollectionName & keyof Db,
  verb: string,
  instead: (real: Verb, ...words: Parameters<Verb>) => unknown,
): Db {
  const changed = new Proxy(db[collection] as object, {
    get(target, key) {
      const own = Reflect.get(target, key, target);
      if (typeof own !== "function") return own;
      const real = own.bind(target);
      return key === verb ? (...words: unknown[]) => instead(real, ...words) : real;
    },
  });
  return { ...db, [collection]: changed };
}

export const breakVerb = (db: Db, collection: CollectionName & keyof Db, verb: string): Db =>
  replaceVerb(db, collection, verb, () => Promise.reject(new Error("gone")));

/** Runs `act` just before the first call of this verb. */
export function beforeVerb(
  db: Db,
  collection: CollectionName & keyof Db,
  verb: string,
  happens: () => Promise<unknown>,
): Db {
  let isFirst = true;
  return replaceVerb(db, collection, verb, async (real, ...words) => {
    const mustHappen = isFirst;
    isFirst = false;
    if (mustHappen) await happens();
    return real(...words);
  });
}

/** Counts the calls of this verb. */
export function countVerb(db: Db, collection: CollectionName & keyof Db, verb: string) {
  const counted = { calls: 0, db };
  counted.db = replaceVerb(db, collection, verb, (real, ...words) => {
    counted.calls += 1;
    return real(...words);
  });
  return counted;
}
