import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventMessages } from "#app/i18n/en/event-messages.ts";
import { en } from "#app/i18n/en.ts";
import { he } from "#app/i18n/he.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { REASONS } from "#domain/refusal.ts";
import { leaves, said } from "./dictionary-leaves.ts";

/** Phrases that nobody would say, and second words for things that have one: on pages, in the API and in the documents. */
const RETIRED = [
  /\b(recycle )?bin\b/i,
  /\borphan/i,
  /\bat work\b/i,
  /\bin step\b/i,
  /\bas wanted\b/i,
  /\bmeanwhile\b/i,
  /\banew\b/i,
  /\bfor good\b/i,
  /\bunder way\b/i,
  /\bthrow (it )?away\b/i,
  /\bput together\b/i,
  /\bcollides?\b/i,
  /\bcomplain\b/i,
  /\bswitch(ed)? (on|off)\b/i,
  /\breplay\b/i,
  /\bwere looked through\b/i,
  /\bthere is no such\b/i,
  /\bhas no such .* any more\b/i,
  /\blook again\b/i,
  /\btake all away\b/i,
  /\bmake public\b/i,
  /\bis public now\b/i,
  /\bviews at most\b/i,
  /\bmay stay empty\b/i,
  /\bhow it looks\b/i,
  /\bgot it\b/i,
  /\bnew takes files\b/i,
  /\bback to the start\b/i,
  /\bneeds a premium account\b/i,
  /\bnothing of the administration\b/i,
  /\bthe rules of this server\b/i,
  /\bhalf year\b/i,
  /\bplain text field\b/i,
  /\bdead workers?\b/i,
  /\bor paste text\b/i,
  /\ba file name has 1 to 255\b/i,
  /\ba changed text or name\b/i,
  /\bleaves the field\b/i,
  /\bran to its end\b/i,
  /\bended with exit code\b/i,
  /\bneeded no memory\b/i,
  /\bit could use\b/i,
  /\bkeep the result\b/i,
  /\bnothing for any number\b/i,
  /\bmirror it\b/i,
  /\blook at the last minutes\b/i,
  /\bsaved for the first time\b/i,
  /\bcalled by its first words\b/i,
  /\bown colou?r\b/i,
  /\bkept a text\b/i,
  /\bnothing leaves it\b/i,
  /\bopens no page\b/i,
];

/** What is good in a sentence and bad on a page. */
const RETIRED_ON_PAGES = [
  ...RETIRED,
  /\bat most\b/i,
  /\bby hand\b/i,
  /\bwhere it is\b/i,
  /\bwhat it shows\b/i,
  /\bsign-in\b/i,
  /\bpublic for\b/i,
  /^save files$/i,
  /\bopen it$/i,
  /\bno end$/i,
  /\bsilent\b/i,
  /\bruns by itself\b/i,
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

/** The lines of a document without code, and without the addresses of its links. */
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
  it("are seen missing where a text has a retired phrase", () => {
    expect(retiredIn([["a.b", "Move it to the recycle bin"]], RETIRED)).toHaveLength(1);
    expect(retiredIn([["a.b", "הועבר לסל המיחזור"]], RETIRED_HEBREW)).toHaveLength(1);
  });

  it("are all that the dictionaries have", () => {
    expect(retiredIn(spoken(en), RETIRED_ON_PAGES)).toEqual([]);
    expect(retiredIn(spoken(he), RETIRED_HEBREW)).toEqual([]);
  });

  it("are all that the API and the events have", () => {
    const messages = Object.entries(REASONS).flatMap(([code, reason]) =>
      "message" in reason ? [[code, reason.message] as [string, string]] : [],
    );
    expect(retiredIn([...messages, ...Object.entries(eventMessages)], RETIRED_ON_PAGES)).toEqual([]);
  });

  it("are all that the documents have, apart from code", () => {
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
