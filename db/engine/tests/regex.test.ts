import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRegex } from "#db/engine/filter/regex.ts";
import type { EngineError } from "#db/engine/values/errors.ts";
import { Regex } from "#db/engine/values/values.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { countRuns, drawRows } from "./engine-run.ts";

needsEngine("it tests functions of the engine");

const compiled = (pattern: string, options = "") => compileRegex(new Regex(pattern, options));

type Row = [claim: string, pattern: string, options: string, matching: string[], others: string[]];

const rows: Row[] = [
  [
    "$ stands at the end and before a final newline",
    "abc$",
    "",
    ["abc", "abc\n", "xabc"],
    ["abc\n\n", "abcd"],
  ],
  ["$ with m stands before every newline", "a$", "m", ["a\nb", "b\na"], ["ab"]],
  ["^ with m stands after newlines alone", "^b", "m", ["a\nb", "b"], ["a\rb", "ab"]],
  ["^ with m does not stand after the last newline", "^$", "m", ["", "\n", "a\n\nb"], ["a\n"]],
  ["\\A and \\z are the ends whatever the options", "\\Ab\\z", "m", ["b"], ["a\nb", "b\n"]],
  ["\\Z allows a final newline", "b\\Z", "", ["b\n"], ["b\n\n"]],
  [". is anything but a newline", "a.c", "", ["abc", "a\rc", "a\u2028c", "a😀c"], ["a\nc"]],
  [". with s is anything", "a.c", "s", ["a\nc"], ["ac"]],
  ["a character is a code point", "^.$", "", ["😀", "é"], ["ab"]],
  ["i folds case in every script", "straße wörld", "i", ["STRAßE WÖRLD"], ["STRASSE WÖRLD"]],
  ["x drops white space and comments", "a b # comment\n  c", "x", ["abc"], ["a b c"]],
  ["x keeps white space in brackets and escapes", "a[ ]b\\ c", "x", ["a b c"], ["abc"]],
  ["u changes nothing", "a", "u", ["a"], ["b"]],
  ["inline flags hold from where they stand", "a(?i)b", "", ["aB", "ab"], ["AB"]],
  ["inline flags hold to the end of their group", "(a(?i)b)c", "", ["aBc"], ["aBC"]],
  ["flags of a group hold inside it", "(?i:a)b", "", ["Ab"], ["aB"]],
  ["flags can be taken back", "(?-i)ab", "i", ["ab"], ["AB"]],
  ["\\d, \\w and \\s are ASCII", "^[\\d\\w\\s]$", "", ["1", "_", "\v"], ["é", "٣", "\u00a0"]],
  ["POSIX classes are known in brackets", "^[[:alpha:][:digit:]-]+$", "", ["aZ9-"], ["é", "_"]],
  ["POSIX classes can be negated", "^[[:^space:]]$", "", ["a"], [" "]],
  ["brackets take ] first and - last", "^[]a-]$", "", ["]", "a", "-"], ["b"]],
  ["\\Q…\\E is literal", "^\\Qa.b*\\E+$", "", ["a.b*", "a.b**"], ["axb*"]],
  ["\\x and octal codes", "^\\x41\\x{1F600}\\011$", "", ["A😀\t"], ["A"]],
  ["\\p tells categories", "^\\p{Lu}\\pN\\P{L}$", "", ["Ä1!"], ["ä1!"]],
  ["counted repetition", "^a{2,3}b{1}c{2,}$", "", ["aabcc", "aaabccc"], ["abcc", "aabc"]],
  ["a brace that counts nothing is itself", "^a{,2}{x$", "", ["a{,2}{x"], ["aa"]],
  ["alternatives", "^(?:foo|bar)$", "", ["foo", "bar"], ["foobar"]],
  ["words end where ASCII words end", "\\bfoo\\b", "", ["a foo b", "foo"], ["foobar"]],
  ["look-ahead and look-behind of bounded length", "(?<=a)b(?!c)", "", ["ab", "abd"], ["abc", "b"]],
  ["comments in groups", "a(?#not this)b", "", ["ab"], ["a"]],
  ["named groups", "(?<x>a)(?P<y>b)", "", ["ab"], ["a"]],
  ["unanchored stars", ".*y.*", "", ["xyz1"], ["abc"]],
];

describe("patterns", () => {
  test.each(drawRows("regex", rows))("%s", (_, pattern, options, matching, others) => {
    const { test: matches } = compiled(pattern, options);

    for (const text of matching) expect(text).toSatisfy(matches);
    for (const text of others) expect(text).not.toSatisfy(matches);
  });

  test.each([
    [51091, "("],
    [51091, ")"],
    [51091, "*a"],
    [51091, "a{3,2}"],
    [51091, "[a"],
    [51091, "[b-a]"],
    [51091, "[[:nothing:]]"],
    [51091, "\\y"],
    [51091, "a{70000}"],
    [51091, "(?:(?:ab?){1000}){100}"],
    [238, "a++"],
    [238, "(?>a)"],
    [238, "(a)\\1"],
    [238, "(?R)"],
    [238, "(?(1)a|b)"],
    [238, "(*UCP)a"],
    [238, "\\Ra"],
    [238, "(?=.*a).*b"],
  ])("code %i for %s", (code, pattern) => {
    expect(() => compiled(pattern)).toThrow(expect.objectContaining({ code }));
  });
});

describe("matches", () => {
  test.each([
    [
      "say where they are and what groups took",
      "(\\w+?)-(\\w+)",
      "foo foo-bar baz",
      [4, "foo-bar", ["foo", "bar"]],
    ],
    ["say null for a group that took no part", "(a)|(b)", "xb", [1, "b", [null, "b"]]],
    ["prefer what is written first", "a|ab", "ab", [0, "a", []]],
    [
      "prefer the longest with a star and the shortest with a lazy one",
      "(a+?)(a*)",
      "aaa",
      [0, "aaa", ["a", "aa"]],
    ],
    ["keep the last round of a repeated group", "(?:(a)|(b))+", "ab", [0, "ab", ["a", "b"]]],
    ["may be empty", "x*", "abc", [0, "", []]],
  ])("%s", (_, pattern, text, [index, match, captures]) => {
    expect(compiled(pattern as string).exec(text as string)).toEqual({ index, match, captures });
  });

  test("can be looked for from an offset, with anchors of the whole text", () => {
    expect(compiled("a").exec("aba", 1)?.index).toBe(2);
    expect(compiled("^a").exec("aba", 1)).toBeNull();
    expect(compiled("(a|b)+").exec("ab-ab", 2)?.index).toBe(3);
  });
});

test.each([
  ["^abc", "", "abc"],
  ["^abc.*", "", "abc"],
  ["^a\\.b+", "", "a."],
  ["\\Aabc", "", "abc"],
  ["^abc", "i", undefined],
  ["^abc", "m", undefined],
  ["abc", "", undefined],
  ["^a|b", "", undefined],
  ["^[a]b", "", undefined],
  ["^", "", undefined],
])("the literal prefix of /%s/%s is %s", (pattern, options, prefix) => {
  expect(compiled(pattern, options).literalPrefix).toBe(prefix);
});

describe("time", () => {
  /** Far above what is needed and far below what backtracking would take. */
  test.each([
    ["(a+)+$"],
    ["^(a+)+$"],
    ["(a|a)*b"],
    ["(a|aa)+$"],
    ["(.*)*x"],
    ["a*a*a*a*a*b"],
    ["(a?){30}a{30}b"],
    ["(?:a{0,50}){20}b"],
    ["\\s*(a\\s*)*b"],
  ])("/%s/ over a long text ends", (pattern) => {
    const text = `${"a".repeat(100_000)}!`;
    const { test: matches } = compiled(pattern);

    try {
      expect(matches(text)).toBe(false);
    } catch (error) {
      expect((error as EngineError).code).toBe(51156);
    }
  });

  test("an escaped literal of any length is accepted, whatever its case and anchor", () => {
    const literal = "The quick (brown) fox. ".repeat(1_000);
    const escaped = literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const text = `${"The quick (brown) fax. ".repeat(5_000)}${literal.toUpperCase()}`;

    expect(compiled(escaped, "i").test(text)).toBe(true);
    expect(compiled(escaped).test(text)).toBe(false);
    expect(compiled(`^${escaped}`).test(literal)).toBe(true);
  });
});

/** Patterns that JavaScript reads as PCRE does: nothing that can be empty is repeated. */
const shared = fc.letrec<{ some: string; any: string }>((tie) => ({
  some: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom("a", "b", "[ab]", "[^a]", "c"),
    fc.tuple(tie("some"), tie("any")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("some"), tie("some")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("some"), fc.constantFrom("+", "{1,2}", "+?")).map(([a, times]) => `(?:${a})${times}`),
    tie("some").map((a) => `(${a})`),
  ),
  any: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    tie("some"),
    fc
      .tuple(tie("some"), fc.constantFrom("*", "?", "{0,2}", "*?", "??"))
      .map(([a, times]) => `(?:${a})${times}`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `(?:${a}|${b})`),
  ),
})).any;

test("all ways of matching find what backtracking finds", () => {
  fc.assert(
    fc.property(
      shared,
      fc.boolean(),
      fc.string({ unit: fc.constantFrom("a", "b", "c", "\n"), maxLength: 12 }),
      (core, anchored, text) => {
        const pattern = anchored ? `^${core}` : core;
        const expected = new RegExp(pattern, "u").exec(text);

        const found = compiled(pattern).exec(text);

        expect(found && [found.index, found.match]).toEqual(expected && [expected.index, expected[0]]);
        expect(compiled(pattern).test(text)).toBe(expected !== null);
      },
    ),
    countRuns(500),
  );
});

test("an escaped text matches exactly the texts that contain it", () => {
  const alphabet = fc.constantFrom(
    "a",
    "A",
    ".",
    "*",
    "(",
    "[",
    "\\",
    "$",
    "^",
    "é",
    "😀",
    "\n",
    " ",
    "#",
    "-",
    "{",
    "|",
  );
  fc.assert(
    fc.property(
      fc.string({ unit: alphabet, maxLength: 4 }),
      fc.string({ unit: alphabet, maxLength: 12 }),
      (wanted, text) => {
        const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

        expect(compiled(escaped).test(text)).toBe(text.includes(wanted));
        expect(compiled(`^${escaped}`).test(text)).toBe(text.startsWith(wanted));
        expect(compiled(escaped, "i").test(text)).toBe(text.toLowerCase().includes(wanted.toLowerCase()));
      },
    ),
    countRuns(500),
  );
});
