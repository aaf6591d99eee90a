import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLiteral } from "../filter/regex.ts";
import { countRuns } from "./engine-run.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("a text to be found", () => {
  test.each([
    ["as it is", "b c", "", ["ab cd"], ["abc", "B C"]],
    ["with characters that had a meaning", "a\\.\\*\\[\\]\\\\\\-", "", ["a.*[]\\-"], ["ab*[]\\-"]],
    ["in any case, in every script", "straße wörld", "i", ["STRAßE WÖRLD"], ["STRASSE WÖRLD"]],
    ["in any case, with letters that fold into one", "k\u017f", "i", ["\u212aS"], ["kx"]],
    ["by code points", "😀", "i", ["a😀b"], ["\ud83d"]],
    ["of no length", "", "i", ["", "a"], []],
  ])("%s", (_, pattern, options, matching, others) => {
    const finds = compileLiteral(pattern, options);

    for (const text of matching) expect(text).toSatisfy(finds);
    for (const text of others) expect(text).not.toSatisfy(finds);
  });

  test.each(["^a", "a$", "a.", "a*", "[a]", "(a)", "a|b", "a{2}", "\\d", "\\é", "a\\"])(
    "is not what %s asks for, and that is refused",
    (pattern) => {
      expect(() => compileLiteral(pattern, "")).toThrow(expect.objectContaining({ code: 238 }));
    },
  );

  test.each(["m", "s", "x", "im"])("is not found with the option %s", (options) => {
    expect(() => compileLiteral("a", options)).toThrow(expect.objectContaining({ code: 238 }));
  });

  test("matches exactly the texts that contain it", () => {
    const alphabet = fc.constantFrom(..."aA.*([\\$^é😀\n #-{|");
    fc.assert(
      fc.property(
        fc.string({ unit: alphabet, maxLength: 4 }),
        fc.string({ unit: alphabet, maxLength: 12 }),
        (wanted, text) => {
          expect(compileLiteral(escaped(wanted), "")(text)).toBe(text.includes(wanted));
          expect(compileLiteral(escaped(wanted), "i")(text)).toBe(
            text.toLowerCase().includes(wanted.toLowerCase()),
          );
        },
      ),
      countRuns(500),
    );
  });

  test("is found alike in short texts and in long ones", () => {
    const filler = "aab".repeat(400_000);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "A"), minLength: 1, maxLength: 9 }),
        (wanted) => {
          const finds = compileLiteral(wanted, "i");

          expect(finds(`${filler}c${wanted}`)).toBe(true);
          expect(finds(filler)).toBe(finds(filler.slice(0, 60)));
        },
      ),
      countRuns(30),
    );
  });
});

describe("time", () => {
  test.each([
    ["a text of one letter", "a".repeat(5_000), `${"a".repeat(4_999)}b`],
    ["a text that almost repeats itself", `${"ab".repeat(2_500)}c`, "ab".repeat(2_500)],
  ])("of %s in any case grows with the text alone", (_, wanted, part) => {
    const text = part.repeat(400);
    const started = performance.now();

    expect(compileLiteral(wanted, "i")(text)).toBe(false);

    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("an escaped text of any length is accepted, whatever its case", () => {
    const literal = "The quick (brown) fox. ".repeat(1_000);
    const text = `${"The quick (brown) fax. ".repeat(5_000)}${literal.toUpperCase()}`;

    expect(compileLiteral(escaped(literal), "i")(text)).toBe(true);
    expect(compileLiteral(escaped(literal), "")(text)).toBe(false);
  });
});
