import { generateToken } from "#platform/ids.ts";
import { keptSecret, readSecret, replaceSecret } from "#platform/secrets/kept-secret.ts";

/** The keys that encrypt people's secrets. Cookies are signed with another key, so that each key can be changed separately. */
export type DataKeys = {
  current: string;
  /** Still accepted for reading until all values are encrypted with the current key. */
  previous: string | null;
};

/** Called at each use, so that a running process uses a new key from a file at once. */
export type ReadDataKeys = () => DataKeys;

export const DATA_KEY_MIN = 32;
const CURRENT = "data-key";
const PREVIOUS = "data-key-previous";

type KeyVariables = { DATA_KEY?: string; DATA_KEY_PREVIOUS?: string };

export function createDataKeyReader(variables: KeyVariables, dataDir: string): ReadDataKeys {
  const { DATA_KEY: current, DATA_KEY_PREVIOUS } = variables;
  if (current !== undefined) {
    const keys = { current, previous: DATA_KEY_PREVIOUS ?? null };
    return () => keys;
  }
  return () => ({
    current: keptSecret(dataDir, CURRENT),
    previous: DATA_KEY_PREVIOUS ?? readSecret(dataDir, PREVIOUS),
  });
}

/**
 * Replaces the stored key; the old key is still accepted for reading. If the process stops between the two writes, both names
 * hold the same key and nothing is lost.
 */
export function rotateStoredDataKey(dataDir: string): void {
  replaceSecret(dataDir, PREVIOUS, keptSecret(dataDir, CURRENT));
  replaceSecret(dataDir, CURRENT, generateToken());
}
