import { LRUCache } from "lru-cache";

/** A text of a version never changes, so that it can be kept by its key. */
export type TextMemory = {
  recall(key: string): string | undefined;
  keep(key: string, text: string): void;
};

const MAX_CHARACTERS = 4_000_000;
/** One long text would push out many that are read more often. */
const TEXT_MAX_CHARACTERS = 100_000;

/** Keeps the texts that were read last, within a limit of characters. */
export function createTextMemory(maxCharacters = MAX_CHARACTERS): TextMemory {
  const texts = new LRUCache<string, string>({ maxSize: maxCharacters });
  return {
    recall: (key) => texts.get(key),
    keep(key, text) {
      if (text.length <= TEXT_MAX_CHARACTERS) texts.set(key, text, { size: Math.max(1, text.length) });
    },
  };
}
