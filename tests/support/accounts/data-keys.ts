import type { ReadDataKeys } from "#platform/secrets/data-keys.ts";

/** The key that secrets are sealed with in tests, by the web process and by workers alike. */
export const DATA_KEY = "a data key that is for tests alone";

export const dataKeys: ReadDataKeys = () => ({ current: DATA_KEY, previous: null, sessionSecret: "" });
