import { newToken } from "#platform/ids.ts";
import { keptSecret, readKeptSecret, replaceKeptSecret } from "#platform/secrets/kept-secret.ts";

/** The keys that encrypt secrets of people. Cookies are signed with another key, so that each can be changed by itself. */
export type DataKeys = {
  /** Encrypts new values. */
  current: string;
  /** Still accepted for reading while values are encrypted anew. */
  previous: string | null;
  /** What earlier editions encrypted with; empty where this process does not know it. */
  sessionSecret: string;
};

/** Read at each use: where the keys are in a file, a running process sees a new key at once. */
export type ReadDataKeys = () => DataKeys;

export const DATA_KEY_MIN = 32;
const CURRENT = "data-key";
const PREVIOUS = "data-key-previous";

type KeyVariables = { DATA_KEY?: string; DATA_KEY_PREVIOUS?: string };

export function openDataKeys(given: KeyVariables, dataDir: string, sessionSecret: string): ReadDataKeys {
  const { DATA_KEY: current, DATA_KEY_PREVIOUS } = given;
  if (current !== undefined) {
    const keys = { current, previous: DATA_KEY_PREVIOUS ?? null, sessionSecret };
    return () => keys;
  }
  return () => ({
    current: keptSecret(dataDir, CURRENT),
    previous: DATA_KEY_PREVIOUS ?? readKeptSecret(dataDir, PREVIOUS),
    sessionSecret,
  });
}

/**
 * Replaces the stored key by a new one; the old key is still accepted for reading. If the process stops between the two writes,
 * both names hold the same key and nothing is lost.
 */
export function replaceKeptDataKey(dataDir: string): void {
  replaceKeptSecret(dataDir, PREVIOUS, keptSecret(dataDir, CURRENT));
  replaceKeptSecret(dataDir, CURRENT, newToken());
}
