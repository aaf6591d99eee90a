import { AsyncLocalStorage } from "node:async_hooks";

// The web process loads this module twice, from source and inside the bundle of the routes; both must see one storage.
const KEY = Symbol.for("codeshelf.request-id");
// The types of the global object know no symbols of ours.
const shared = globalThis as unknown as Record<symbol, AsyncLocalStorage<string> | undefined>;
shared[KEY] ??= new AsyncLocalStorage<string>();
const storage = shared[KEY];

/** Everything that `work` starts, however deep, finds this id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return storage.run(id, work);
}

/** The id of the request or job run that is being served, or undefined outside of one. */
export function currentRequestId(): string | undefined {
  return storage.getStore();
}
