import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  DEFAULT_READING,
  READING_VALUES,
  readReading,
  toReadingAttributes,
  wrapsLines,
} from "#app/reading.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";

const readSheet = (name: string) => readFileSync(join(PROJECT_ROOT, "app", "styles", "tokens", name), "utf8");
const [values, themes] = [readSheet("values.css"), readSheet("code-themes.css")];
type Side = "light" | "dark";
const TOKENS = ["comment", "keyword", "string", "number", "name", "type", "attribute"];
/** What lies behind code: a page, a box in a text, a marked line, and the lines of a comparison. */
const GROUNDS = ["sheet", "well", "yellow-wash", "green-wash", "red-wash", "blue-wash"];

const hexIn = (text: string, pattern: RegExp) => required(pattern.exec(text)?.[1], String(pattern));

function findGround(name: string, side: Side): string {
  const [light, dark] = ["(#[0-9a-f]{6})", "#[0-9a-f]{6}"];
  const pair = side === "light" ? `${light}, ${dark}` : `${dark}, ${light}`;
  return hexIn(values, new RegExp(`--${name}: light-dark\\(${pair}\\)`));
}

function findToken(theme: string, token: string, side: Side): string {
  if (theme === "standard") return hexIn(themes, new RegExp(`var\\(--${side}-${token}, (#[0-9a-f]{6})\\)`));
  const block = hexIn(themes, new RegExp(`\\[data-code-${side}="${theme}"\\] \\{([^}]*)\\}`));
  return hexIn(block, new RegExp(`--${side}-${token}: (#[0-9a-f]{6});`));
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const THEMES = (["light", "dark"] as const).flatMap((side) =>
  READING_VALUES[`code_${side}`].map((theme) => [side, theme] as const),
);

describe("the colours of code", () => {
  it("are three for the light and three for the dark", () => {
    expect(THEMES).toHaveLength(6);
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
  });

  it.each(THEMES)(
    "in the %s, %s, have a contrast of 4.5 at least on all that lies behind code",
    (side, theme) => {
      const pale = TOKENS.flatMap((token) =>
        GROUNDS.map((ground) => ({
          token,
          ground,
          ratio: contrast(findToken(theme, token, side), findGround(ground, side)),
        })).filter(({ ratio }) => ratio < 4.5),
      );
      expect(pale).toEqual([]);
    },
  );

  it("of the house are those of the values where only the other side was chosen", () => {
    const names = { comment: "umber", keyword: "plum", string: "green", number: "amber" };
    for (const [token, value] of Object.entries(names))
      for (const side of ["light", "dark"] as const)
        expect(findToken("standard", token, side)).toBe(findGround(value, side));
  });
});

describe("how code is shown", () => {
  it("is read from what was chosen, and as ever where that is no choice", () => {
    expect(readReading(() => "on")).toEqual({ ...DEFAULT_READING, code_wrap: "on" });
    expect(readReading(() => "<script>")).toEqual(DEFAULT_READING);
  });

  it("wraps prose in an editor, and everything or nothing where that was chosen", () => {
    const wraps = (chosen: string) => [wrapsLines(chosen, true), wrapsLines(chosen, false)];
    expect(["auto", "off", "on"].map(wraps)).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
  });

  it("is told to styles where it was chosen", () => {
    expect(toReadingAttributes(DEFAULT_READING)).toEqual({});
    expect(toReadingAttributes({ ...DEFAULT_READING, tab_width: "2", code_dark: "orange" })).toEqual({
      "data-tab-width": "2",
      "data-code-dark": "orange",
    });
  });
});
