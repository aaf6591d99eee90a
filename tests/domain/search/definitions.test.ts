import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES, type LanguageName } from "#domain/files/language.ts";
import { DEFINITION_PATTERNS } from "#domain/search/definition-patterns.ts";
import { findDefinitions, findDefinitionsNamed } from "#domain/search/definitions.ts";
import { foldCase } from "#domain/text/folded.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

const show = (text: string, language: string) =>
  findDefinitions(text, language).map(
    ({ name, line, kind, depth }) => `${"  ".repeat(depth)}${line} ${kind} ${name}`,
  );

/** The text of a sample without its marks, and their meaning for each line, in the format of `show`. */
function readSample(sample: string): { text: string; definitions: string[] } {
  const lines = sample.split("\n").map((line) => line.split(/ (?=▸+ )/));
  const definitions = lines.flatMap(([, ...marks], i) =>
    marks.map((mark) => {
      const [depth = "", ...what] = mark.split(" ");
      return `${"  ".repeat(depth.length - 1)}${i + 1} ${what.join(" ")}`;
    }),
  );
  return { text: `${lines.map(([line]) => line).join("\n")}\n`, definitions };
}

const SAMPLES = readFileSync(new URL("definition-samples.txt", import.meta.url), "utf8");
const LANGUAGE_SAMPLES = [...SAMPLES.matchAll(/^=== (\w+)\n(.*?)\n(?==== |$(?![\s\S]))/gms)].map(
  ([, language = "", sample = ""]) => ({ language, ...readSample(sample) }),
);
const WITHOUT_DEFINITIONS: LanguageName[] = ["csv", "text"];

describe("what a text defines", () => {
  it("has a sample of every language", () => {
    expect([...LANGUAGE_SAMPLES.map(({ language }) => language), ...WITHOUT_DEFINITIONS].sort()).toEqual(
      [...LANGUAGE_NAMES].sort(),
    );
  });

  it.each(LANGUAGE_SAMPLES)(
    "is found in $language, whatever ends its lines",
    ({ language, text, definitions }) => {
      expect(definitions).not.toEqual([]);
      expect(show(text, language)).toEqual(definitions);
      expect(show(text.replaceAll("\n", "\r\n"), language)).toEqual(definitions);
    },
  );

  it.each([...WITHOUT_DEFINITIONS, "klingon", "constructor"])("is nothing in %s", (language) => {
    expect(findDefinitions("def f():\n# Title\n", language)).toEqual([]);
  });

  it.each(LANGUAGE_SAMPLES)("is found by each part of its name in $language", ({ language, text }) => {
    const tell = (definitions: { name: string; line: number }[]) =>
      definitions.map(({ name, line }) => `${line} ${name}`);
    const names = findDefinitions(text, language).map(({ name }) => name);
    for (const written of [text, text.replaceAll("\n", "\r\n"), `// İ\n${text}`]) {
      const definitions = findDefinitions(written, language);
      for (const needle of new Set(
        names.flatMap((name) => [foldCase(name), foldCase(name.slice(0, 3)), "e"]),
      ))
        expect(
          tell(findDefinitionsNamed({ text: written, folded: foldCase(written) }, language, needle)),
        ).toEqual(tell(definitions.filter(({ name }) => foldCase(name).includes(needle))));
    }
  });

  it("has names in Hebrew", () => {
    expect(show("def חישוב_מחיר(פריט):\n  pass\n", "python")).toEqual(["1 function חישוב_מחיר"]);
    expect(show("## התקנה של הכלי\n", "markdown")).toEqual(["1 heading התקנה של הכלי"]);
    expect(show("const מחיר = (א) => א * 2;\n", "javascript")).toEqual(["1 function מחיר"]);
  });

  it("skips headings inside fences, up to the mark that closes them", () => {
    const text = "# One\n```sh\n# no\n~~~\n# no\n```\nTwo\n---\n";
    expect(show(text, "markdown")).toEqual(["1 heading One", "  7 heading Two"]);
  });

  it("stops at its limit and skips lines of more than a thousand characters", () => {
    expect(findDefinitions("def f():\n".repeat(5_000), "python")).toHaveLength(2_000);
    expect(findDefinitions("def f():\n".repeat(50), "python", 3).map(({ line }) => line)).toEqual([1, 2, 3]);
    const long = `def f(${"a".repeat(990)}):`;
    expect(show(`${long}aaaa\ndef g():\n`, "python")).toEqual(["2 function g"]);
    expect(show(long.slice(0, 1_000), "python")).toEqual(["1 function f"]);
  });

  it("keeps two hundred characters of a name and never half of a pair", () => {
    const [{ name } = { name: "" }] = findDefinitions(`# ${"a".repeat(199)}🙂🙂`, "markdown");
    expect(name).toBe("a".repeat(199));
  });
});

/** A repeated group with a repetition inside: the one way in which a pattern takes more than linear time. */
const NESTED = /\([^()]*[*+][^()]*\)[*+]/;

describe("reading takes time by the length of a text", () => {
  const sources = Object.entries(DEFINITION_PATTERNS).flatMap(([language, { rules, modifier }]) =>
    [...rules.map(({ pattern }) => pattern), ...(modifier ? [modifier] : [])].map((pattern) => ({
      language,
      pattern,
    })),
  );

  it("no pattern repeats what repeats, and each is anchored", () => {
    expect(NESTED.test("^(?:a+)*")).toBe(true);
    for (const { language, pattern } of sources) {
      expect(pattern.source, language).toMatch(/^\^/);
      expect(pattern.source, language).not.toMatch(NESTED);
    }
  });

  const UNITS =
    'a | |\t|(|):|<|>|<h1|=|a=|::|a::|.|#|"|\\\\"|-|- |{|[|*|@a |public |async | id=|fn |/*|a.b |as | as |def '.split(
      "|",
    );
  const OPENERS =
    "|const a|a b(|typedef |from a|impl |class |a: |func (|  a<|@a(|create table |map<|(def ^|{".split("|");

  it("hostile lines of the greatest length take a bounded time each", async () => {
    const lines = OPENERS.flatMap((opener) =>
      UNITS.map((unit) => (opener + unit.repeat(1_000)).slice(0, 999)),
    );
    const text = lines.join("\n");
    const costs = new Map<string, number>();
    for (const language of LANGUAGE_NAMES)
      costs.set(language, await ownProcessorMs(() => void findDefinitions(text, language, 10_000)));
    // Half a megabyte for each language. The worst takes a fiftieth of this; a quadratic pattern takes many times as long.
    for (const [language, ms] of costs) expect(ms, language).toBeLessThan(2_000);
  });
});
