import type { LanguageName } from "#domain/files/language.ts";
import { JAVASCRIPT_RULES } from "#domain/search/brace-patterns.ts";
import { caselessRule, type DefinitionSyntax, ID, rule, words } from "#domain/search/definition-rule.ts";

const DASHED = String.raw`[\p{L}_-][\p{L}\p{M}\p{N}_-]*`;

const SELECTOR = String.raw`((?!(?:from|to)\b)[\p{L}.#:*&>+~\[][^{};@]*)`;
const STYLE_RULES = [
  rule("function", String.raw`@(?:-webkit-)?(?:keyframes|mixin|function)\s+(${DASHED})`),
  rule("class", String.raw`@layer\s+(${DASHED})\s*\{`),
  rule("variable", String.raw`(--${DASHED})\s*:`, { parent: ":root" }),
  rule("variable", String.raw`([$@]${DASHED})\s*:`, { at: "top" }),
  rule("selector", String.raw`${SELECTOR}\{`),
  rule("selector", `${SELECTOR},$`, { at: "top" }),
];

const ELEMENT_ID = String.raw`.*?\sid\s?=\s?["']([^"']+)`;
const HEADINGS = [1, 2, 3, 4, 5, 6].map((level) =>
  caselessRule("heading", String.raw`.*?<h${level}\b[^<>]*>(?:<[^<>]*>)?([^<]+)`, { level }),
);
const MARKUP: DefinitionSyntax = {
  modifier: words("export async"),
  rules: [
    ...HEADINGS,
    caselessRule("key", ELEMENT_ID, { level: 7 }),
    ...JAVASCRIPT_RULES.filter(({ kind }) => kind !== "variable"),
  ],
};

const SQL_NAME = String.raw`(?:if\s+not\s+exists\s+)?([^\s(;]+)`;
const PLAIN_KEY = String.raw`([\p{L}\p{N}_][\p{L}\p{N}_.-]*)`;

/** Languages of data, pages and settings. */
export const MARKUP_PATTERNS = {
  css: { rules: STYLE_RULES },
  scss: { rules: STYLE_RULES },
  less: { rules: STYLE_RULES },
  html: MARKUP,
  vue: MARKUP,
  svg: { rules: [caselessRule("key", ELEMENT_ID)] },
  xml: { rules: [caselessRule("key", String.raw`.*?\s(?:id|name)\s?=\s?["']([^"']+)`)] },
  sql: {
    quotes: true,
    modifier: words(
      "create or\\s+replace temp temporary global local unlogged unique materialized recursive external virtual",
      "iu",
    ),
    rules: [
      caselessRule("table", String.raw`(?:table|view)\s+${SQL_NAME}`, { modified: true }),
      caselessRule("function", String.raw`(?:function|procedure|trigger)\s+${SQL_NAME}`, { modified: true }),
      caselessRule("key", String.raw`(?:index|sequence)\s+(?:concurrently\s+)?${SQL_NAME}`, {
        modified: true,
      }),
      caselessRule("type", String.raw`(?:type|domain|schema|database|extension)\s+${SQL_NAME}`, {
        modified: true,
      }),
    ],
  },
  yaml: {
    modifier: /^-\s+/u,
    depthMax: 1,
    rules: [
      rule("key", String.raw`"([^"]+)"\s*:(?:\s|$)`),
      rule("key", String.raw`'([^']+)'\s*:(?:\s|$)`),
      rule("key", String.raw`([^\s#:'"{}\[\],&*!|>%@\x60-][^:#]*):(?:\s|$)`),
    ],
  },
  toml: {
    quotes: true,
    rules: [
      rule("heading", String.raw`\[\[?([^\[\]]+)\]`, { level: 0 }),
      rule("key", String.raw`"?${PLAIN_KEY}"?\s*=`, { level: 1 }),
    ],
  },
  ini: {
    modifier: words("export"),
    rules: [
      rule("heading", String.raw`\[([^\[\]]+)\]`, { level: 0 }),
      rule("key", String.raw`${PLAIN_KEY}\s*[=:]`, { level: 1 }),
    ],
  },
  nix: { depthMax: 1, rules: [rule("key", String.raw`${PLAIN_KEY}\s*=(?!=)`)] },
  makefile: {
    modifier: words("export override"),
    rules: [
      rule("variable", String.raw`(${ID})\s*(?:[?+!]|::?)?=`, { at: "top" }),
      rule("target", String.raw`([^\s:=#.$@][^:=#$]*):(?!=)`, { at: "top" }),
      rule("function", String.raw`define\s+(${ID})`, { at: "top" }),
    ],
  },
  dockerfile: {
    rules: [
      caselessRule("target", String.raw`from\s.*\sas\s+(\S+)`),
      caselessRule("target", String.raw`from\s+(?:--\S+\s+)?(\S+)`),
      caselessRule("variable", String.raw`(?:arg|env)\s+(${ID})`),
    ],
  },
  graphql: {
    modifier: words("extend"),
    rules: [
      rule("class", String.raw`(?:type|interface|input)\s+(${ID})`),
      rule("type", String.raw`(?:enum|union|scalar|directive)\s+(@?${ID})`),
      rule("function", String.raw`(?:query|mutation|subscription|fragment)\s+(${ID})`),
      rule("key", String.raw`(${ID})\s*(?:\([^)]*\)\s*)?:`, { at: "inner" }),
    ],
  },
  protobuf: {
    modifier: words("repeated optional required"),
    rules: [
      rule("class", String.raw`(?:message|service)\s+(${ID})`),
      rule("type", String.raw`(?:enum|package)\s+([\p{L}_][\p{L}\p{N}_.]*)`),
      rule("function", String.raw`rpc\s+(${ID})`),
      rule("key", String.raw`(?:map<[^>]*>|[\p{L}_][\p{L}\p{N}_.]*)\s+(${ID})\s*=\s*\d`),
    ],
  },
  diff: { rules: [rule("heading", String.raw`\+\+\+ (?:b\/)?([^\s\/].*)`)] },
} as const satisfies Partial<Record<LanguageName, DefinitionSyntax>>;
