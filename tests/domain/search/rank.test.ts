import { describe, expect, it } from "vitest";
import {
  findDefinitionRank,
  type Named,
  RANKS,
  rankAll,
  rankByName,
  toNeedle,
  toReadText,
} from "#domain/search/rank.ts";

const term = (text: string, literal = false) => toNeedle({ text, literal });
const file = (fields: Partial<Named>): Named => ({
  name: "notes.txt",
  description: "",
  tags: [],
  language: "python",
  ...fields,
});

it.each([
  ["#Math", false, "math"],
  ["#", false, null],
  ["#math", true, null],
  ["math", false, null],
])("the term %j asks for a tag unless it is quoted: %j", (text, literal, tagKey) => {
  expect(term(text, literal).tagKey).toBe(tagKey);
});

it("the ranks go from the best answer to the worst, and no two are equal", () => {
  const ranks = Object.values(RANKS);
  expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b));
});

describe("what a thing is called", () => {
  it.each<[string, Partial<Named>, string, number | null]>([
    ["the whole name", { name: "parser" }, "Parser", RANKS.exact],
    ["the beginning of the name", { name: "parser.py" }, "pars", RANKS.prefix],
    ["a word of the name", { name: "my-parser.py" }, "parser", RANKS.word],
    ["the inside of a word", { name: "parser.py" }, "arse", RANKS.part],
    ["the initials of the name", { name: "userProfileCard.tsx" }, "upc", RANKS.initials],
    ["a tag", { tags: ["Geometry"] }, "#geometry", RANKS.tag],
    ["a part of a tag", { tags: ["geometry"] }, "metr", RANKS.tag],
    ["the description", { description: "Draws a Circle" }, "circle", RANKS.description],
    ["nothing", { description: "Draws a circle" }, "square", null],
  ])("is ranked by %s", (_, fields, text, rank) => {
    expect(rankByName(file(fields), term(text))).toBe(rank);
  });

  it("is not found by its initials where they are in quotes", () => {
    expect(rankByName(file({ name: "userProfileCard.tsx" }), term("upc", true))).toBeNull();
  });
});

describe("a text", () => {
  const text = toReadText("import os\n\ndef load_users():\n    pass\n\ndef users():\n    pass\n", "python");

  it("is worth more where it defines what is asked for, and most where that is its whole name", () => {
    expect(findDefinitionRank(text, term("users"))).toEqual({ rank: RANKS.wholeDefinition, line: 6 });
    expect(findDefinitionRank(text, term("load"))).toEqual({ rank: RANKS.definition, line: 3 });
    expect(findDefinitionRank(text, term("import"))).toEqual({ rank: RANKS.line });
    expect(findDefinitionRank(text, term("sers"))).toEqual({ rank: RANKS.line });
  });

  it("has to have every term that its file is not called by", () => {
    const target = file({ name: "accounts.py" });
    expect(rankAll(target, [term("account"), term("users")], text)).toBe(
      RANKS.prefix + RANKS.wholeDefinition,
    );
    expect(rankAll(target, [term("account"), term("nothing")], text)).toBeNull();
    expect(rankAll(target, [term("users")], null)).toBeNull();
    expect(rankAll(target, [term("account")], null)).toBe(RANKS.prefix);
    expect(rankAll(target, [], null)).toBe(0);
  });

  it("is worth what the index knows of it", () => {
    const target = file({ name: "accounts.py" });
    expect(rankAll(target, [term("users")], text, [RANKS.line])).toBe(RANKS.line);
    expect(rankAll(target, [term("users")], text, [null])).toBe(RANKS.wholeDefinition);
    expect(rankAll(target, [term("nothing")], text, [RANKS.line])).toBeNull();
  });
});
