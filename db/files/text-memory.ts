import { LRUCache } from "lru-cache";

/** Caches texts by key. The text of a version never changes. */
export type TextMemory = {
  recall(key: string): string | undefined;
  keep(key: string, text: string): void;
};

const MAX_CHARACTERS = 4_000_000;
/** A single long text would displace many that are read more often. */
const TEXT_MAX_CHARACTERS = 100_000;

export function createTextCache(maxCharacters = MAX_CHARACTERS): TextMemory {
  const texts = new LRUCache<string, string>({ maxSize: maxCharacters });
  return {
    recall: (key) => texts.get(key),
    keep(key, text) {
      if (text.length <= TEXT_MAX_CHARACTERS) texts.set(key, text, { size: Math.max(1, text.length) });
    },
  };
}
