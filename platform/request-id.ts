import { AsyncLocalStorage } from "node:async_hooks";

// The web process loads this module twice, from source and in the bundle of the routes; both must share the storage.
const KEY = Symbol.for("codeshelf.request-id");
// The type of the global object has no symbol keys.
const globals = globalThis as unknown as Record<symbol, AsyncLocalStorage<string> | undefined>;
globals[KEY] ??= new AsyncLocalStorage<string>();
const storage = globals[KEY];

/** Runs `work` with a request id that everything it starts can read. */
export function withRequestId<T>(id: string, work: () => T): T {
  return storage.run(id, work);
}

/** Returns the id of the current request or job run, or undefined outside of one. */
export function getRequestId(): string | undefined {
  return storage.getStore();
}
