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
  const texts = new Map<string, string>();
  let characters = 0;

  function drop(key: string): void {
    characters -= texts.get(key)?.length ?? 0;
    texts.delete(key);
  }

  function put(key: string, text: string): void {
    texts.set(key, text);
    characters += text.length;
  }

  return {
    recall(key) {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      drop(key);
      put(key, text);
      return text;
    },
    keep(key, text) {
      if (text.length > TEXT_MAX_CHARACTERS) return;
      drop(key);
      put(key, text);
      for (const oldest of texts.keys()) {
        if (characters <= maxCharacters) return;
        drop(oldest);
      }
    },
  };
}
