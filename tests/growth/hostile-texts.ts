import { itemAt } from "#domain/required.ts";

/** Texts of any length that rules make slow to read. */
export type HostileText = { name: string; make(length: number): string };

const repeat = (unit: string): HostileText => ({
  name: `${JSON.stringify(unit)} repeated`,
  make: (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
});

const open = (opener: string, filler: string): HostileText => ({
  name: `${JSON.stringify(opener)} and then ${JSON.stringify(filler)} without end`,
  make: (length) => opener + filler.repeat(Math.max(0, Math.ceil((length - opener.length) / filler.length))),
});

const count = (name: string, unit: (n: number) => string): HostileText => ({
  name,
  make: (length) => {
    const units: string[] = [];
    for (let [n, made] = [0, 0]; made < length; n += 1) {
      const next = unit(n);
      units.push(next);
      made += next.length;
    }
    return units.join("").slice(0, length);
  },
});

/** Every ASCII character that is no letter or digit, and one of each other kind. */
const CHARACTERS = [..." \t\n\r!\"#$%&'()*+,-./0:;<=>?@A[\\]^_`a{|}~"];

const OPENERS = [
  ...["[a](", "[a](%", "![](", "[a]: ", "[[", "`${", "```", "~~~", "<a ", '<a b="', "<!--", "<![CDATA["],
  ...["</", "<svg><g>", "<script>", "/*", "//", "#{", "${", "{{", "{%", "((", "([{", '"""', "'''", '\\"'],
  ...["**", "__", "_*", "~~", "> ", "- ", "1. ", "- [ ] ", "| a |\n|-", "# ", "$$", "&#", "&amp"],
  ...["http://", "www.", "a@", "@a", "#a,", "=begin\n", "--", 'r#"', "%w(", "<<A\n", "0x", "1e", "\\u"],
  ...["\\x", "\\(", "`\n", "\"'", "'\"`", "()", "[]", "{}", "a b ", "a\n", "\r\n", "\n\n", " \n", "\t\n"],
  ...["a,", "a=", "a:", "ab", "aA", "a1", "a_", "a.", "a-", "a/", "../"],
];

const BEYOND_ASCII = [
  ...["é", "e\u0301", "\u0301", "\u200d", "\u202e", "ש", "שׁ ", "漢", "👩‍👩‍👧", "İ", "ß", "ﬃ", "\u2028"],
  ...["\ufeff", "\u00a0"],
];

const HOSTILE_TEXTS: readonly HostileText[] = [
  ...[...CHARACTERS, ...OPENERS, ...BEYOND_ASCII].map(repeat),
  ...OPENERS.filter((opener) => opener.trim().length > 1).map((opener) => open(opener, "a")),
  ...["[", "(", "{", "<", '"', "'", "`", "*", "_"].map((opener) => open(opener, " ")),
  ...["a", "0", " ", "\n", "é"]
    .map((filler) => open("x", filler))
    .map((text) => ({ ...text, make: (length: number) => `${text.make(length - 1)}!` })),
  count("words that never repeat", (n) => `w${n.toString(36)} `),
  count("lines that never repeat", (n) => `line ${n}\n`),
  count("tasks", (n) => `- [${n % 2 ? "x" : " "}] task ${n}\n`),
  count("ever deeper quotes", (n) => `${">".repeat(n % 200)} a\n`),
  count("ever deeper lists", (n) => `${"  ".repeat(n % 100)}- a\n`),
  count("links that are never defined", (n) => `[a${n}][b${n}] `),
  count("definitions", (n) => `[a${n}]: /b${n}\n`),
  count("numbers", (n) => `${n},`),
];

/** Picks `wanted` texts spread over all, others for each seed; returns all if that many are wanted. */
export function chooseTexts(seed: number, wanted: number): HostileText[] {
  const { length } = HOSTILE_TEXTS;
  const count = Math.min(wanted, length);
  return Array.from({ length: count }, (_, n) =>
    itemAt(HOSTILE_TEXTS, (seed * 7 + Math.floor((n * length) / count)) % length),
  );
}
