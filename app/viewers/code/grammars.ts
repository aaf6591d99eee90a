import type { LanguageName } from "#domain/files/language.ts";

export const COLOUR_MAX_LENGTH = 200 * 1024;

// Names of the highlighter where they are not ours; null where it has nothing to colour.
const GRAMMARS: Partial<Record<LanguageName, string | null>> = {
  csv: null,
  html: "xml",
  svg: "xml",
  text: null,
  toml: "ini",
  vue: "xml",
};

/** The highlighter's grammar of a language; null where there is nothing to colour. */
export function grammarFor(language: LanguageName): string | null {
  const grammar = GRAMMARS[language];
  return grammar === undefined ? language : grammar;
}
