import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";

const STYLES = join(PROJECT_ROOT, "app", "styles");
const VALUES = ["values.css", "languages.css"];
const SHEETS = readdirSync(STYLES).filter((name) => name.endsWith(".css"));

/** The declarations of a sheet that a pattern finds fault with. */
function faults(sheet: string, pattern: RegExp): string[] {
  const css = readFileSync(join(STYLES, sheet), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return css.split("\n").filter((line) => pattern.test(line));
}

const COLOUR_OR_PIXEL = /#[\da-f]{3,8}\b(?!\s*\{)|\b(rgb|hsl|oklch|light-dark)\(|\d(px)\b/i;
const PHYSICAL =
  /^\s*((margin|padding|border|inset)-(left|right|top|bottom)|left|right|top|bottom|width|height|(min|max)-(width|height)|float: (left|right))\s*:/;

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

  it("see a fault where there is one", () => {
    expect("  color: #fff;").toMatch(COLOUR_OR_PIXEL);
    expect("  border: 1px solid;").toMatch(COLOUR_OR_PIXEL);
    expect("  margin-left: var(--step-2);").toMatch(PHYSICAL);
  });
});
