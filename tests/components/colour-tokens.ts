/** Reads the style sheets' rules and the colours of their tokens in each theme. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { itemAt } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const STYLES = join(PROJECT_ROOT, "app", "styles");

type Rule = { sheet: string; media: string; selector: string; declarations: ReadonlyMap<string, string> };

/** The rules of a sheet, one per selector; `media` is the surrounding query, or empty. */
function readRules(sheet: string): Rule[] {
  const css = readFileSync(join(STYLES, sheet), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/@import[^;]*;/g, "");
  const rules: Rule[] = [];
  const around: string[] = [];
  for (const [, head, mark] of css.matchAll(/([^{};]*(?:;(?=[^{}]*\})[^{};]*)*)([{}])/g)) {
    const text = (head ?? "").trim();
    if (mark === "{") {
      around.push(text);
      continue;
    }
    const selector = around.pop() ?? "";
    if (text === "" || selector.startsWith("@")) continue;
    const declarations = new Map(
      text
        .split(/;\s*/)
        .map((line) => line.split(/:([\s\S]*)/))
        .map(([name = "", value = ""]) => [name.trim(), value.replace(/\s+/g, " ").trim()]),
    );
    const media = around.filter((head) => head.startsWith("@media")).join(" ");
    for (const each of selector.split(/,(?![^(]*\))/))
      rules.push({ sheet, media, selector: each.trim().replace(/\s+/g, " "), declarations });
  }
  return rules;
}

export const RULES: readonly Rule[] = readdirSync(STYLES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".css"))
  .flatMap(readRules);

export type Theme = {
  name: string;
  isDark: boolean;
  /** The values of the tokens, resolved in cascade order. */
  tokens: ReadonlyMap<string, string>;
};

const readTokens = (selector: string, media = ""): [string, string][] =>
  RULES.filter((rule) => rule.selector === selector && rule.media === media).flatMap(({ declarations }) => [
    ...declarations,
  ]);

/** The colour sets for code that people choose between, by their selectors. */
function readCodeChoices(kind: "light" | "dark"): string[] {
  const pattern = new RegExp(`^\\[data-code-${kind}="\\w+"\\]$`);
  return [...new Set(RULES.map(({ selector }) => selector).filter((selector) => pattern.test(selector)))];
}

const MORE_CONTRAST = "@media (prefers-contrast: more)";

export const THEMES: readonly Theme[] = (["light", "dark"] as const).flatMap((scheme) => {
  const usual = readTokens(":root");
  const chosen = (selector: string) => [
    ...usual,
    ...readTokens("[data-code-light]"),
    ...readTokens(selector),
  ];
  const variants: [name: string, tokens: [string, string][]][] = [
    ["", usual],
    ...readCodeChoices(scheme).map((selector): [string, [string, string][]] => [
      ` with ${selector}`,
      chosen(selector),
    ]),
    [" in high contrast", [...usual, ...readTokens(':root[data-theme="contrast"]')]],
    [
      " if the system asks for more contrast",
      [...usual, ...readTokens(':root[data-theme="system"]', MORE_CONTRAST)],
    ],
  ];
  return variants.map(([name, tokens]) => ({
    name: `${scheme}${name}`,
    isDark: scheme === "dark",
    tokens: new Map(tokens),
  }));
});

type Colour = readonly [red: number, green: number, blue: number];

/** The arguments of a CSS function, or null if the value does not call it. */
function splitCall(name: string, value: string): string[] | null {
  if (!value.startsWith(`${name}(`) || !value.endsWith(")")) return null;
  return value
    .slice(name.length + 1, -1)
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim());
}

/** Resolves a CSS value to its colour in a theme. */
export function resolveColour(value: string, theme: Theme): Colour {
  const variable = splitCall("var", value);
  if (variable) {
    const [name = "", fallback = ""] = [variable[0], variable.slice(1).join(", ")];
    return resolveColour(theme.tokens.get(name) ?? fallback, theme);
  }
  const pair = splitCall("light-dark", value);
  if (pair) return resolveColour(itemAt(pair, theme.isDark ? 1 : 0), theme);
  const digits = /^#([\da-f]{6})$/i.exec(value)?.[1];
  if (!digits) throw new Error(`${value} is no colour that this test can read`);
  const number = Number.parseInt(digits, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const linear = (channel: number) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = ([red, green, blue]: Colour) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** The contrast ratio of WCAG 2.2. */
export function contrast(colour: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(colour), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
