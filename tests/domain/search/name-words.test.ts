import { describe, expect, it } from "vitest";
import { collectNamePrefixes, matchName, NAME_PREFIX_MAX, splitWords } from "#domain/search/name-words.ts";
import { foldCase } from "#domain/text/folded.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

it.each([
  ["useLocalStorage.js", "use Local Storage js"],
  ["HTTPServer", "HTTP Server"],
  ["parseURL", "parse URL"],
  ["XMLHttpRequest2", "XML Http Request 2"],
  ["snake_case-and.dots here", "snake case and dots here"],
  ["src/lib/retry.py", "src lib retry py"],
  ["utf8Encode", "utf 8 Encode"],
  ["__init__", "init"],
  ["שמירת-קובץ חדש.md", "שמירת קובץ חדש md"],
  ["שלוםWorld", "שלום World"],
  ["ÉcoleNormale", "École Normale"],
  ["naïveÅrsrapport", "naïve Årsrapport"],
  ["🙂 smile", "smile"],
  ["...", ""],
  ["", ""],
])("the name %s is split into words", (name, expected) => {
  const words = splitWords(name);
  expect(words.map(({ word }) => word).join(" ")).toBe(expected);
  for (const { word, start } of words) expect(name.slice(start, start + word.length)).toBe(word);
});

/** The rank, and the name with its matches in brackets. */
function show(name: string, needle: string): string | null {
  const match = matchName(name, needle);
  if (!match) return null;
  let [shown, at] = ["", 0];
  for (const [from, to] of match.ranges) {
    shown += `${name.slice(at, from)}[${name.slice(from, to)}]`;
    at = to;
  }
  return `${match.rank} ${shown}${name.slice(at)}`;
}

const MATCHES: [name: string, needle: string, shown: string | null][] = [
  ["retry.py", "retry.py", "exact [retry.py]"],
  ["retry.py", "RETRY", "exact [retry].py"],
  ["src/lib/retry.py", "retry.py", "exact src/lib/[retry.py]"],
  ["src/lib/retry.py", "src/lib/retry.py", "exact [src/lib/retry.py]"],
  ["archive.tar.gz", "archive", "prefix [archive].tar.gz"],
  [".env", "env", "word .[env]"],
  [".env", ".en", "prefix [.en]v"],
  ["retry.py", "ret", "prefix [ret]ry.py"],
  ["src/lib/retry.py", "ret", "prefix src/lib/[ret]ry.py"],
  ["src/lib/retry.py", "src", "word [src]/lib/retry.py"],
  ["src/lib/retry.py", "lib/re", "word src/[lib/re]try.py"],
  ["retry/retry_all.py", "all", "word retry/retry_[all].py"],
  ["all/retry_all.py", "all", "word all/retry_[all].py"],
  ["useLocalStorage.js", "stor", "word useLocal[Stor]age.js"],
  ["useLocalStorage.js", "localst", "word use[LocalSt]orage.js"],
  ["useLocalStorage.js", "ulS", "word [u]se[L]ocal[S]torage.js"],
  ["useLocalStorage.js", "uls", "word [u]se[L]ocal[S]torage.js"],
  ["useLocalStorage.js", "useLS", "word [useL]ocal[S]torage.js"],
  ["useLocalStorage.js", "usLoSt", "word [us]e[Lo]cal[St]orage.js"],
  ["useLocalStorage.js", "lsj", "word use[L]ocal[S]torage.[j]s"],
  ["useLocalStorage.js", "u_l_s", null],
  ["useLocalStorage.js", "us", "prefix [us]eLocalStorage.js"],
  ["useLocalStorage.js", "OCAL", "part useL[ocal]Storage.js"],
  ["ocal/useLocal.js", "ocal", "word [ocal]/useLocal.js"],
  ["xocal/useLocal.js", "ocal", "part xocal/useL[ocal].js"],
  ["aaab/aaac", "aab", "part a[aab]/aaac"],
  ["abAbc", "abc", "word ab[Abc]"],
  ["abcAbd", "aba", "word [ab]c[A]bd"],
  ["useLocalStorage.js", "zz", null],
  ["useLocalStorage.js", "useless", null],
  ["retry.py", "", null],
  ["שמירת קובץ.md", "קוב", "word שמירת [קוב]ץ.md"],
  ["שמירת קובץ.md", "שק", "word [ש]מירת [ק]ובץ.md"],
  ["İstanbul İzmir.txt", "izmir", null],
  ["İstanbul xIzmir.txt", "izm", "word İstanbul x[Izm]ir.txt"],
  ["İİ title", "tit", "word İİ [tit]le"],
  ["İİ retitle", "tit", "part İİ re[tit]le"],
  ["İİ", "i̇", "prefix [İ]İ"],
  ["ΟΔΟΣ.txt", "οδος", "exact [ΟΔΟΣ].txt"],
  ["🙂a🙂b", "b", "word 🙂a🙂[b]"],
];

describe("how a name has a needle", () => {
  it.each(MATCHES)("%s has %s as %s", (name, needle, expected) => {
    expect(show(name, needle)).toBe(expected);
  });

  it("a capital excludes nothing", () => {
    for (const [name, needle, expected] of MATCHES)
      if (!name.includes("İ")) expect(show(name, needle.toUpperCase())).toBe(expected);
  });

  it("takes time by the lengths of both, however often it fails", async () => {
    const name = "aA".repeat(1_000);
    const ms = await ownProcessorMs(() => expect(matchName(name, `${"a".repeat(199)}b`)).toBeNull());
    expect(ms).toBeLessThan(2_000);
  });
});

describe("what a name is filed under", () => {
  it("is beginnings of words, and of words in turn", () => {
    expect(collectNamePrefixes("useLo.js").sort()).toEqual(
      ["u", "us", "use", "ul", "ulj", "ulo", "usl", "l", "lo", "lo.", "lj", "ljs", "loj", "j", "js"].sort(),
    );
    expect(collectNamePrefixes("İzmir")).toEqual(["i", "i̇", "i̇z"]);
    expect(collectNamePrefixes("")).toEqual([]);
  });

  it("has the beginning of every needle that is found by more than a part", () => {
    const matching = MATCHES.filter(([name, needle]) =>
      ["exact", "prefix", "word"].includes(matchName(name, needle)?.rank ?? ""),
    );
    expect(matching.length).toBeGreaterThan(20);
    for (const [name, needle] of matching) {
      const beginning = [...foldCase(needle)].slice(0, NAME_PREFIX_MAX).join("");
      expect(collectNamePrefixes(name), `${name} ${needle}`).toContain(beginning);
    }
  });

  it("has that for any needle that can be made of a name", () => {
    const name = "src/HTTPServer_v2 שלום.İx.ts";
    const prefixes = new Set(collectNamePrefixes(name));
    const letters = [...new Set(foldCase(name))];
    let matched = 0;
    for (const a of letters)
      for (const b of letters)
        for (const c of letters) {
          const match = matchName(name, a + b + c);
          if (match === null || match.rank === "part") continue;
          matched += 1;
          expect(prefixes.has(a + b + c), a + b + c).toBe(true);
        }
    expect(matched).toBeGreaterThan(20);
  });
});
