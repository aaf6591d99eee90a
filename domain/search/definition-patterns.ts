import type { LanguageName } from "#domain/files/language.ts";
import { BRACE_PATTERNS } from "#domain/search/brace-patterns.ts";
import type { DefinitionSyntax } from "#domain/search/definition-rule.ts";
import { MARKUP_PATTERNS } from "#domain/search/markup-patterns.ts";
import { SCRIPT_PATTERNS } from "#domain/search/script-patterns.ts";

/** Markdown has fences and JSON has nesting, so their definitions are not found line by line. */
type NestedLanguage = "json" | "markdown";

const NOTHING: DefinitionSyntax = { rules: [] };

/** The definition syntax by language. A language missing here does not compile. */
export const DEFINITION_PATTERNS: Record<Exclude<LanguageName, NestedLanguage>, DefinitionSyntax> = {
  ...BRACE_PATTERNS,
  ...SCRIPT_PATTERNS,
  ...MARKUP_PATTERNS,
  csv: NOTHING,
  text: NOTHING,
};
