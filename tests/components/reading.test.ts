import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_READING, parseReading, toReadingAttributes, wrapsLines } from "#app/reading.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const readSheet = (name: string) => readFileSync(join(PROJECT_ROOT, "app", "styles", "tokens", name), "utf8");
const [values, themes] = [readSheet("values.css"), readSheet("code-themes.css")];
type Side = "light" | "dark";
const hexIn = (text: string, pattern: RegExp) => required(pattern.exec(text)?.[1], String(pattern));

function findGround(name: string, side: Side): string {
  const [light, dark] = ["(#[0-9a-f]{6})", "#[0-9a-f]{6}"];
  const pair = side === "light" ? `${light}, ${dark}` : `${dark}, ${light}`;
  return hexIn(values, new RegExp(`--${name}: light-dark\\(${pair}\\)`));
}

it("the product's own colours of code apply to the side without a choice", () => {
  const names = { comment: "umber", keyword: "plum", string: "green", number: "amber" };
  for (const [token, value] of Object.entries(names))
    for (const side of ["light", "dark"] as const)
      expect(hexIn(themes, new RegExp(`var\\(--${side}-${token}, (#[0-9a-f]{6})\\)`))).toBe(
        findGround(value, side),
      );
});

describe("how code is shown", () => {
  it("follows the person's choice, and the default without a valid one", () => {
    expect(parseReading(() => "on")).toEqual({ ...DEFAULT_READING, code_wrap: "on" });
    expect(parseReading(() => "<script>")).toEqual(DEFAULT_READING);
  });

  it("wraps prose in an editor, or everything or nothing if chosen", () => {
    const wraps = (chosen: string) => [wrapsLines(chosen, true), wrapsLines(chosen, false)];
    expect(["auto", "off", "on"].map(wraps)).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
  });

  it("reaches the styles if it was chosen", () => {
    expect(toReadingAttributes(DEFAULT_READING)).toEqual({});
    expect(toReadingAttributes({ ...DEFAULT_READING, tab_width: "2", code_dark: "orange" })).toEqual({
      "data-tab-width": "2",
      "data-code-dark": "orange",
    });
  });
});
