import type { LanguageName } from "#domain/files/language.ts";

export const COLOUR_MAX_LENGTH = 200 * 1024;

// Grammar names that differ from ours; null if there is nothing to colour.
const GRAMMARS: Partial<Record<LanguageName, string | null>> = {
  csv: null,
  html: "xml",
  svg: "xml",
  text: null,
  toml: "ini",
  vue: "xml",
};

export function findGrammar(language: LanguageName): string | null {
  const grammar = GRAMMARS[language];
  return grammar === undefined ? language : grammar;
}
