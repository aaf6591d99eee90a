import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventMessages } from "#app/i18n/en/event-messages.ts";
import { en } from "#app/i18n/en.ts";
import { he } from "#app/i18n/he.ts";
import { REASONS } from "#domain/refusal.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { leaves, said } from "./dictionary-leaves.ts";

const readPhrases = (list: string): RegExp[] =>
  list.split(/\s\/\s+/).map((phrase) => new RegExp(`\\b(${phrase.trim()})\\b`, "i"));

/** Unnatural phrases and second words for the same thing, forbidden on pages, in the API and in the documents. */
const RETIRED = readPhrases(String.raw`
  (recycle )?bin / orphan\w* / at work / in step / as wanted / meanwhile / anew / for good / under way /
  throw (it )?away / put together / collides? / complain / switch(ed)? (on|off) / replay / were looked through /
  there is no such / has no such .* any more / look again / take all away / make public / is public now /
  views at most / may stay empty / how it looks / got it / new takes files / back to the start /
  needs a premium account / nothing of the administration / the rules of this server / half year /
  plain text field / dead workers? / or paste text / a file name has 1 to 255 / a changed text or name /
  leaves the field / ran to its end / ended with exit code / needed no memory / it could use / keep the result /
  nothing for any number / mirror it / look at the last minutes / saved for the first time /
  called by its first words / own colou?r / kept a text / nothing leaves it / opens no page`);

/** Words that are good in a sentence and bad on a page. */
const RETIRED_ON_PAGES = [
  ...RETIRED,
  ...readPhrases(`
  at most / by hand / where it is / what it shows / sign-in / public for / ^save files$ / open it$ / no end$ /
  silent / runs by itself`),
];

const RETIRED_HEBREW = [
  /סל ה?מיחזור/,
  /יתומ/,
  /שיתופים/,
  /כנדרש/,
  /בינתיים/,
  /להשליך/,
  /שיקופ|שיקוף/,
  /ניפוי/,
  /„/,
];

const spoken = (dictionary: object): [path: string, words: string][] =>
  leaves(dictionary).flatMap(([path, value]) => {
    const words = said(value);
    return words === null ? [] : [[path, words] as [string, string]];
  });

/** The lines of a document without code and link addresses. */
function sentencesIn(path: string): [path: string, words: string][] {
  const text = readFileSync(join(PROJECT_ROOT, path), "utf8").replace(
    /```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\)/g,
    "",
  );
  return text.split("\n").map((words) => [path, words]);
}

function retiredIn(texts: readonly [string, string][], retired: readonly RegExp[]): string[] {
  return texts.flatMap(([path, words]) =>
    retired.filter((phrase) => phrase.test(words)).map((phrase) => `${path}: ${words} (${phrase.source})`),
  );
}

describe("plain words", () => {
  it("are found missing if a text has a retired phrase", () => {
    expect(retiredIn([["a.b", "Move it to the recycle bin"]], RETIRED)).toHaveLength(1);
    expect(retiredIn([["a.b", "הועבר לסל המיחזור"]], RETIRED_HEBREW)).toHaveLength(1);
  });

  it("are in all dictionaries", () => {
    expect(retiredIn(spoken(en), RETIRED_ON_PAGES)).toEqual([]);
    expect(retiredIn(spoken(he), RETIRED_HEBREW)).toEqual([]);
  });

  it("are in the API and the events", () => {
    const messages = Object.entries(REASONS).flatMap(([code, reason]) =>
      "message" in reason ? [[code, reason.message] as [string, string]] : [],
    );
    expect(retiredIn([...messages, ...Object.entries(eventMessages)], RETIRED_ON_PAGES)).toEqual([]);
  });

  it("are in all documents, apart from code", () => {
    const documents = globSync(["README.md", "docs/*.md", "docs/operations/*.md"], { cwd: PROJECT_ROOT });
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.flatMap((path) => retiredIn(sentencesIn(path), RETIRED))).toEqual([]);
  });

  it("name what they are about: no text begins with It", () => {
    const vague = spoken(en).filter(([, words]) => /^It('s|’s)? /.test(words));
    expect(vague).toEqual([]);
  });

  it("are short: a label without a full stop has at most eight words", () => {
    const labels = spoken(en).filter(
      ([path, words]) => /\.(title|name|save|make|create|remove|add)$/.test(path) && !words.endsWith("."),
    );
    expect(labels.length).toBeGreaterThan(20);
    expect(labels.filter(([, words]) => words.split(/\s+/).length > 8)).toEqual([]);
  });
});
