import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const STYLES = join(PROJECT_ROOT, "app", "styles");
const VALUES = ["tokens/values.css", "tokens/languages.css", "tokens/code-themes.css"];
const ENTRY = "app.css";
const LAYERS = ["tokens", "base", "primitives", "traits", "nouns", "media"];
const SHEETS = readdirSync(STYLES, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".css"),
);
const RULE_SHEETS = SHEETS.filter((name) => name !== ENTRY);

const readSheet = (sheet: string): string =>
  readFileSync(join(STYLES, sheet), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");

function faults(sheet: string, pattern: RegExp): string[] {
  return readSheet(sheet)
    .split("\n")
    .filter((line) => pattern.test(line));
}

const COLOUR_OR_PIXEL = /#[\da-f]{3,8}\b(?!\s*\{)|\b(rgb|hsl|oklch|light-dark)\(|\d(px)\b/i;
const PHYSICAL =
  /^\s*((margin|padding|border|inset)-(left|right|top|bottom)|left|right|top|bottom|width|height|(min|max)-(width|height)|float: (left|right))\s*:/;

/** The top-level statements of a sheet, blocks without their contents. */
function readStatements(css: string): string[] {
  let depth = 0;
  let statement = "";
  const statements: string[] = [];
  for (const char of css) {
    if (depth === 0) statement += char;
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    if (depth > 0 || (char !== "}" && char !== ";")) continue;
    statements.push(statement.trim());
    statement = "";
  }
  return statements;
}

function readClasses(css: string): string[] {
  const selectors = css.match(/[^{};]+(?=\{)/g) ?? [];
  return selectors.flatMap((selector) => selector.match(/(?<=\.)[a-z][\w-]*/gi) ?? []);
}

const MARKUP = globSync(["app/**/*.{ts,tsx}", "public/**/*.js"], { cwd: PROJECT_ROOT })
  .filter((path) => !path.startsWith("app/i18n/"))
  .map((path) => readFileSync(join(PROJECT_ROOT, path), "utf8"));
// The words in the markup's strings, including prefixes of inserted values: `status-${state}`.
const STRINGS = MARKUP.flatMap((text) => text.match(/"[^"\n]*"|`[^`]*`/g) ?? []);
const WRITTEN = new Set(STRINGS.flatMap((string) => string.match(/[\w-]+-(?=\$\{)|[\w-]+/g) ?? []));
// The highlighter writes these.
const HIGHLIGHTED = /^hljs-/;

function isWritten(name: string): boolean {
  if (WRITTEN.has(name) || HIGHLIGHTED.test(name)) return true;
  return [...name.matchAll(/-/g)].some(({ index }) => WRITTEN.has(name.slice(0, index + 1)));
}

describe("styles", () => {
  it.each(SHEETS.filter((name) => !VALUES.includes(name)))(
    "%s names its colours and lengths by meaning",
    (sheet) => {
      expect(faults(sheet, COLOUR_OR_PIXEL)).toEqual([]);
    },
  );

  it.each(SHEETS)("%s mirrors by itself in a right-to-left page", (sheet) => {
    expect(faults(sheet, PHYSICAL)).toEqual([]);
  });

  it("declare the order of the layers once, in the sheet that every page loads", () => {
    expect(readStatements(readSheet(ENTRY))[0]).toBe(`@layer ${LAYERS.join(", ")};`);
    expect(readFileSync(join(PROJECT_ROOT, "app", "root.tsx"), "utf8")).toContain(`styles/${ENTRY}`);
  });

  // A rule outside a layer would override all layers.
  it.each(RULE_SHEETS)("%s is in one layer", (sheet) => {
    const statements = readStatements(readSheet(sheet));
    const layers = statements.filter((statement) => !statement.startsWith("@import "));
    expect(layers).toHaveLength(1);
    expect(LAYERS.map((layer) => `@layer ${layer} {`)).toContain(layers[0]);
  });

  it.each(RULE_SHEETS)("%s names only classes that a page has", (sheet) => {
    const names = readClasses(readSheet(sheet));
    expect(names.filter((name) => !isWritten(name))).toEqual([]);
  });

  it("draw buttons in one sheet; rules for the system's settings and for paper are separate", () => {
    const drawing = RULE_SHEETS.filter((sheet) =>
      readClasses(readSheet(sheet)).some((name) => /^button(-|$)/.test(name)),
    );
    expect(drawing.sort()).toEqual(["media/forced-colors.css", "primitives/button.css"]);
  });
});
