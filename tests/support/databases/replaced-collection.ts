import type { Db } from "#db/client.ts";

/** Replaces a member of this collection by `get` while `work` runs. */
export async function withCollection<Name extends keyof Db>(
  db: Db,
  name: Name,
  get: (collection: object, member: string | symbol) => unknown,
  work: () => Promise<unknown>,
): Promise<void> {
  const real = db[name];
  Object.assign(db, { [name]: new Proxy(real as object, { get }) });
  try {
    await work();
  } finally {
    Object.assign(db, { [name]: real });
  }
}
