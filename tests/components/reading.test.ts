import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_READING, readReading, toReadingAttributes, wrapsLines } from "#app/reading.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";

const readSheet = (name: string) => readFileSync(join(PROJECT_ROOT, "app", "styles", "tokens", name), "utf8");
const [values, themes] = [readSheet("values.css"), readSheet("code-themes.css")];
type Side = "light" | "dark";
const hexIn = (text: string, pattern: RegExp) => required(pattern.exec(text)?.[1], String(pattern));

function findGround(name: string, side: Side): string {
  const [light, dark] = ["(#[0-9a-f]{6})", "#[0-9a-f]{6}"];
  const pair = side === "light" ? `${light}, ${dark}` : `${dark}, ${light}`;
  return hexIn(values, new RegExp(`--${name}: light-dark\\(${pair}\\)`));
}

describe("the colours of code", () => {
  it("of the house are those of the values where only the other side was chosen", () => {
    const names = { comment: "umber", keyword: "plum", string: "green", number: "amber" };
    for (const [token, value] of Object.entries(names))
      for (const side of ["light", "dark"] as const)
        expect(hexIn(themes, new RegExp(`var\\(--${side}-${token}, (#[0-9a-f]{6})\\)`))).toBe(
          findGround(value, side),
        );
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
