import type { LanguageName } from "#domain/files/language.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** The tool that formats and checks each language. Other languages have none. */
export const TOOLS = {
  bash: "sh-syntax",
  css: "prettier",
  graphql: "prettier",
  html: "prettier",
  javascript: "prettier",
  json: "prettier",
  less: "prettier",
  markdown: "prettier",
  python: "ruff",
  scss: "prettier",
  sql: "sql-formatter",
  typescript: "prettier",
  vue: "prettier",
  yaml: "prettier",
} as const satisfies Partial<Record<LanguageName, string>>;

export type ToolLanguage = keyof typeof TOOLS;

export const TOOL_LANGUAGES = listKeys(TOOLS);
export const TOOL_CODE_MAX_BYTES = 500 * 1024;

export type Severity = "error" | "warning";

/** Lines and columns count from one; columns are UTF-16 units, as in editors. */
export type Issue = {
  line: number;
  column: number;
  code: string;
  message: string;
  severity: Severity;
  fixable: boolean;
};

export type Formatted = { formatted_code: string; diff: string; has_changes: boolean; tool: string };

export function hasTool(language: string): language is ToolLanguage {
  return Object.hasOwn(TOOLS, language);
}

export type ToolRequest = { code: string; language: ToolLanguage };
