import type { Plugin } from "prettier";
import { format } from "prettier/standalone";
import { type Tool, type ToolTask, toParserIssue, toSyntaxIssue, Unreadable } from "#app/tools/tool-task.ts";
import type { Issue, ToolLanguage } from "#domain/code-runs/code-tool.ts";
import { required } from "#domain/required.ts";
import { readError } from "#platform/read-error.ts";

type Parser = { parser: string; plugins: readonly PluginName[] };
type PluginName = keyof typeof PLUGINS;

const PLUGINS = {
  babel: () => import("prettier/plugins/babel"),
  estree: () => import("prettier/plugins/estree"),
  typescript: () => import("prettier/plugins/typescript"),
  postcss: () => import("prettier/plugins/postcss"),
  html: () => import("prettier/plugins/html"),
  markdown: () => import("prettier/plugins/markdown"),
  yaml: () => import("prettier/plugins/yaml"),
  graphql: () => import("prettier/plugins/graphql"),
};

const SCRIPTS = ["babel", "estree", "postcss"] as const;

/** Pages, prose and components contain scripts and styles. */
const PARSERS: Partial<Record<ToolLanguage, Parser>> = {
  javascript: { parser: "babel", plugins: ["babel", "estree"] },
  typescript: { parser: "typescript", plugins: ["typescript", "estree"] },
  json: { parser: "json", plugins: ["babel", "estree"] },
  css: { parser: "css", plugins: ["postcss"] },
  scss: { parser: "scss", plugins: ["postcss"] },
  less: { parser: "less", plugins: ["postcss"] },
  html: { parser: "html", plugins: ["html", ...SCRIPTS] },
  vue: { parser: "vue", plugins: ["html", ...SCRIPTS, "typescript"] },
  markdown: { parser: "markdown", plugins: ["markdown", "yaml", ...SCRIPTS] },
  yaml: { parser: "yaml", plugins: ["yaml"] },
  graphql: { parser: "graphql", plugins: ["graphql"] },
};

type Placed = Error & { loc?: { start?: { line: number; column: number } } };

export const web: Tool = {
  async format(task) {
    try {
      return await formatByLanguage(task);
    } catch (error) {
      throw new Unreadable([toIssue(error)]);
    }
  },
  async check(task) {
    try {
      await formatByLanguage(task);
    } catch (error) {
      return [toIssue(error)];
    }
    return task.language === "json" ? checkStrictJson(task.code) : [];
  },
};

async function formatByLanguage({ code, language }: ToolTask): Promise<string> {
  const { parser, plugins } = required(PARSERS[language], `parser for ${language}`);
  const loaded = await Promise.all(plugins.map((name) => PLUGINS[name]()));
  // The types of a plugin lack some of what `format` accepts.
  return format(code, { parser, plugins: loaded as Plugin[], endOfLine: "auto" });
}

function toIssue(error: unknown): Issue {
  return toParserIssue(error, ({ loc }: Placed) => [loc?.start?.line ?? 1, loc?.start?.column ?? 1]);
}

/** Warns about comments and trailing commas, which can be formatted but are no strict JSON. */
function checkStrictJson(code: string): Issue[] {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    const { message } = readError(error);
    const [, line = "1", column = "1"] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
    const issue = toSyntaxIssue(Number(line), Number(column), `Not strict JSON: ${message}`);
    return [{ ...issue, code: "strict-json", severity: "warning" }];
  }
}
