import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES } from "#domain/files/language.ts";
import { Refusal } from "#domain/refusal.ts";
import {
  completeFilters,
  listTypedFilters,
  parseSearchQuery,
  removeFilters,
  replaceWords,
  type SearchQuery,
} from "#domain/search/search-query.ts";

const NOTHING: SearchQuery = {
  terms: [],
  excluded: [],
  languages: [],
  tags: [],
  kinds: [],
  path: null,
  folder: null,
  without: { languages: [], tags: [], kinds: [], paths: [] },
};
const without = (filters: Partial<SearchQuery["without"]>) => ({
  without: { ...NOTHING.without, ...filters },
});
const words = (...texts: string[]) => texts.map((text) => ({ text, literal: false }));
const literal = (text: string) => ({ text, literal: true });

const QUERIES: [typed: string, asks: Partial<SearchQuery>][] = [
  ["retry", { terms: words("retry") }],
  ["  retry   http ", { terms: words("retry", "http") }],
  ["retry Retry", { terms: words("retry") }],
  ['"a b"', { terms: [literal("a b")] }],
  ['x "a  b" y', { terms: [...words("x"), literal("a  b"), ...words("y")] }],
  ['retry "retry"', { terms: [...words("retry"), literal("retry")] }],
  ["retry -test", { terms: words("retry"), excluded: ["test"] }],
  ['retry -"two words"', { terms: words("retry"), excluded: ["two words"] }],
  ["-", { terms: words("-") }],
  ["a - b", { terms: words("a", "-", "b") }],
  ["-> --flag -=", { terms: words("->", "--flag", "-=") }],
  ['"', { terms: words('"') }],
  ['""', { terms: words('""') }],
  ['"open end', { terms: words('"open', "end") }],
  ['a -"open', { terms: words("a"), excluded: ['"open'] }],
  ['say"hi" x', { terms: words('say"hi"', "x") }],
  ['"a"b', { terms: words('"a"b') }],
  ["lang:py", { languages: ["python"] }],
  ["LANG:TypeScript retry", { languages: ["typescript"], terms: words("retry") }],
  ["lang:c++ lang:tsx,py", { languages: ["cpp", "typescript", "python"] }],
  ['lang:"Protocol Buffers"', { languages: ["protobuf"] }],
  ["lang:klingon", { languages: ["klingon"] }],
  ["tag:x tag:#y,z tag:x", { tags: ["x", "y", "z"] }],
  ["tag:Web tag:web", { tags: ["Web"] }],
  ['tag:"two words"', { tags: ["two words"] }],
  ["tag:תגית", { tags: ["תגית"] }],
  ["in:notes in:Files", { kinds: ["notes", "files"] }],
  ["in:notes,repos x", { kinds: ["notes", "repos"], terms: words("x") }],
  ["in:range", { terms: words("in:range") }],
  ["path:src/ retry", { path: "src/", terms: words("retry") }],
  ['path:"my files/" path:', { path: "my files/" }],
  ["retry lang: tag: in:", { terms: words("retry") }],
  ["http://x foo:bar std::sort", { terms: words("http://x", "foo:bar", "std::sort") }],
  ['foo:"a b"', { terms: words('foo:"a b"') }],
  ["a -lang:py,go -LANG:py", { terms: words("a"), ...without({ languages: ["python", "go"] }) }],
  ['tag:x -tag:#y,Y -tag:"two words"', { tags: ["x"], ...without({ tags: ["y", "two words"] }) }],
  ["a -in:notes,Repos", { terms: words("a"), ...without({ kinds: ["notes", "repos"] }) }],
  ["a -in:range", { terms: words("a"), excluded: ["in:range"] }],
  ["a -path:src/ -path:lib/", { terms: words("a"), ...without({ paths: ["src/", "lib/"] }) }],
  ["a -lang: -path:", { terms: words("a") }],
  ["שמירה -טיוטה", { terms: words("שמירה"), excluded: ["טיוטה"] }],
];

describe("a typed search", () => {
  it.each(QUERIES)("%s", (typed, asks) => {
    expect(parseSearchQuery(typed)).toEqual({ ...NOTHING, ...asks });
  });

  it.each(["", "   ", "\n"])("asks for nothing by %j", (typed) => {
    expect(parseSearchQuery(typed)).toEqual(Refusal("empty_query"));
  });

  it.each(["lang:", "-tag:", " in: path:"])("lacks the value of a filter in %j", (typed) => {
    expect(parseSearchQuery(typed)).toEqual(Refusal("empty_filter"));
  });

  it.each(["-word", '-"a b" -c', "-lang:py", "-in:notes -path:src/", "-tag:x"])(
    "needs a word to look for beside %j",
    (typed) => {
      expect(parseSearchQuery(typed)).toEqual(Refusal("only_excluded"));
    },
  );

  it("has up to 200 characters and 8 words, blanks around it aside", () => {
    expect(parseSearchQuery(` ${"🙂".repeat(200)} `)).toEqual({ ...NOTHING, terms: words("🙂".repeat(200)) });
    expect(parseSearchQuery("a".repeat(201))).toEqual(Refusal("query_too_long", { max: 200 }));
    const many = Array.from({ length: 9 }, (_, i) => `w${i}`);
    expect(parseSearchQuery(many.slice(1).join(" "))).toMatchObject({ terms: words(...many.slice(1)) });
    expect(parseSearchQuery(many.join(" "))).toEqual(Refusal("too_many_words", { max: 8 }));
    expect(parseSearchQuery(`a -${many.slice(1).join(" -")}`)).toMatchObject({ excluded: many.slice(1) });
    expect(parseSearchQuery(`a -${many.join(" -")}`)).toEqual(Refusal("too_many_words", { max: 8 }));
    expect(parseSearchQuery(`"${many.join(" ")}"`)).toMatchObject({ terms: [literal(many.join(" "))] });
  });
});

describe("the filters that are offered", () => {
  it.each<[string, string[]]>([
    ["la", ["lang:"]],
    ["retry -la", ["-lang:"]],
    ["-lang:pyt", ["-lang:python"]],
    ["-", []],
    ["retry T", ["tag:"]],
    ["i", ["in:"]],
    ["x", []],
    ["", []],
    ["la ", []],
    ["in:", ["in:files", "in:notes", "in:repos"]],
    ["retry in:n", ["in:notes"]],
    ["in:notes", []],
    ["lang:pyt", ["lang:python"]],
    ["lang:py", ["lang:python"]],
    ["lang:c#", ["lang:csharp"]],
    ["lang:python", []],
    ["lang:klingon", []],
    ["path:s", []],
    ["foo:", []],
    ['"la', []],
    ['"two la', []],
    ['"two" la', ["lang:"]],
  ])("for %j are %j", (typed, expected) => {
    expect(completeFilters(typed)).toEqual(expected);
  });

  it("are of what the library has, where that is said", () => {
    const choices = { languages: ["go", "python"], tags: ["Urgent", "two words"] };
    expect(completeFilters("lang:", choices)).toEqual(["lang:go", "lang:python"]);
    expect(completeFilters("tag:", choices)).toEqual(["tag:Urgent", 'tag:"two words"']);
    expect(completeFilters("tag:u", choices)).toEqual(["tag:Urgent"]);
    expect(completeFilters("a #u", choices)).toEqual(["tag:Urgent"]);
    expect(completeFilters("tag:a:", { tags: ["a:b", "ab"] })).toEqual(["tag:a:b"]);
    expect(completeFilters("lang:")).toEqual(LANGUAGE_NAMES.slice(0, 12).map((name) => `lang:${name}`));
  });
});

describe("the words of a search", () => {
  it.each([
    ["retry", "retry"],
    ["lang:go  retry -test http", "retry http"],
    ['"a b" tag:"two words"', '"a b"'],
    ["in:notes", ""],
  ])("are what is left of %j without its filters", (typed, remaining) => {
    expect(removeFilters(typed)).toBe(remaining);
  });

  it("can be replaced while filters, excluded words and quotes stay", () => {
    const typed = 'retry lang:go -test "a b" http';

    expect(replaceWords(typed, (word) => `${word}s`)).toBe('retrys lang:go -test "a b" https');
  });
});

it.each([
  ["retry", ""],
  ["lang:py retry", "lang:py → retry"],
  ['a tag:"two words" b', 'tag:"two words" → a b'],
  ["a -b in:notes", "-b → a in:notes, in:notes → a -b"],
  ["lang: x", ""],
  ["-> --flag", ""],
  ["a -lang:py", "-lang:py → a"],
])("the query %s lists its filters, each with the query without it", (q, wanted) => {
  expect(
    listTypedFilters(q)
      .map(({ typed, rest }) => `${typed} → ${rest}`)
      .join(", "),
  ).toBe(wanted);
});
