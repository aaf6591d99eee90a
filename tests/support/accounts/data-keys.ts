import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";

/** The key that seals secrets in tests, for the web process and workers. */
export const DATA_KEY = "a data key that is for tests alone";

export const dataKeys: ReadDataKeys = () => ({ current: DATA_KEY, previous: null });
