import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { en } from "#app/i18n/en.ts";
import { he } from "#app/i18n/he.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { leaves, said } from "./dictionary-leaves.ts";
import { findHardCoded, hardCodedIn, sourcesIn } from "./visible-text.ts";

/** Names and units, which are equal in both languages. */
const SAME =
  /^(product|observability\.ms|tools\.took|runs\.dock\.argsExample|devices\.(browsers|systems)\..+)$/;

const english = new Map(leaves(en));
const hebrew = leaves(he);
const LETTERS = /\p{Script=Latin}{2,}/u;
const HEBREW = /\p{Script=Hebrew}/u;

describe("the dictionaries", () => {
  it("hold no Hebrew that is still English", () => {
    const untranslated = hebrew.filter(([path, value]) => {
      const words = said(value);
      return words !== null && words === said(english.get(path)) && LETTERS.test(words);
    });
    expect(untranslated.map(([path]) => path).filter((path) => !SAME.test(path))).toEqual([]);
  });

  it("hold no English that is still Hebrew, and no Hebrew without a Hebrew letter", () => {
    const foreign = [...english].filter(([, value]) => HEBREW.test(said(value) ?? ""));
    expect(foreign.map(([path]) => path)).toEqual([]);
    const silent = hebrew.filter(([path, value]) => {
      const words = said(value);
      return words !== null && LETTERS.test(words) && !HEBREW.test(words) && !SAME.test(path);
    });
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it("name the same things, and none empty", () => {
    expect(hebrew.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    expect([...english, ...hebrew].filter(([, value]) => value === "")).toEqual([]);
  });

  it("write the limits of a run in Hebrew so that one second reads as well as five", () => {
    const { stopped, granted } = he.tools;
    expect([stopped.timed_out(1), granted(1, 128)].filter((words) => words.includes("שניות"))).toEqual([]);
  });
});

describe("visible text", () => {
  const ROOMS = readdirSync(join(PROJECT_ROOT, "app"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["i18n", "sample", "web"].includes(entry.name))
    .map(({ name }) => `app/${name}`);
  it.each([...ROOMS, "app/web/ui"])("is in no source of %s", (folder) => {
    expect(sourcesIn(folder).flatMap(hardCodedIn)).toEqual([]);
  });

  it("is found where it is", () => {
    const source = `const a = <p title={b ? "One two" : c}>Some words {d && "more words"}</p>; e.textContent = \`left \${f}\`;`;
    expect(findHardCoded("x.tsx", source)).toEqual([
      "x.tsx:1 One two",
      "x.tsx:1 Some words",
      "x.tsx:1 more words",
      "x.tsx:1 left",
    ]);
  });
});
