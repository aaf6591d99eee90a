import { newToken } from "#platform/ids.ts";
import { keptSecret, readKeptSecret, replaceKeptSecret } from "#platform/kept-secret.ts";

/** The keys that secrets of people are sealed with, apart from what signs cookies, so that each can be changed by itself. */
export type DataKeys = {
  /** What is sealed from now on is sealed under this one. */
  current: string;
  /** Still accepted for reading while values are sealed anew. */
  previous: string | null;
  /** What earlier editions sealed under; empty where this process does not know it. */
  sessionSecret: string;
};

/** Asked at each use: where the keys are kept in a file, a running process sees a new one at once. */
export type ReadDataKeys = () => DataKeys;

export const DATA_KEY_MIN = 32;
const CURRENT = "data-key";
const PREVIOUS = "data-key-previous";

type Given = { DATA_KEY?: string; DATA_KEY_PREVIOUS?: string };

export function openDataKeys(given: Given, dataDir: string, sessionSecret: string): ReadDataKeys {
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
 * Puts a new key in the place of the one that is kept, which stays readable. Cut off between the two writes, both names hold
 * the same key and nothing is lost.
 */
export function replaceKeptDataKey(dataDir: string): void {
  replaceKeptSecret(dataDir, PREVIOUS, keptSecret(dataDir, CURRENT));
  replaceKeptSecret(dataDir, CURRENT, newToken());
}
