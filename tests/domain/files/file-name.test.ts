import { describe, expect, it } from "vitest";
import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { archiveNames } from "#domain/files/archive.ts";
import { findJunkName, isJunkFolder } from "#domain/files/junk-path.ts";
import { sortByName, toNameOrder } from "#domain/files/name-order.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import { toVisibleName } from "#domain/files/visible-name.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sortByBytes = (names: string[]) => names.toSorted((a, b) => inBytes(toNameOrder(a), toNameOrder(b)));

describe("names in a list", () => {
  it.each([
    ["whatever their case", ["apple", "Banana", "cherry", "Zebra"]],
    ["numbers by their value", ["file1", "file2", "file10", "file010a", "file100"]],
    ["numbers before letters, and shorter names before longer ones", ["a", "a1", "ab", "abc"]],
    ["accents beside their letters", ["été", "etude", "eve", "Éze"]],
    ["numbers in the middle", ["v1.2.9", "v1.2.10", "v1.10.0", "v2"]],
    ["Hebrew after Latin, by its letters", ["z", "אבג", "בית 2", "בית 10"]],
    ["long numbers", ["9".repeat(80), "1".repeat(81), "9".repeat(200), "a"]],
  ])("stand %s", (_, names) => {
    expect(sortByBytes(names.toReversed())).toEqual(names);
    expect(sortByName(names.toReversed(), (name) => name)).toEqual(names);
  });

  it("that stand alike are always in the same order", () => {
    const names = ["A", "a", "á", "01", "1"];
    const once = sortByName(names, (name) => name);
    expect(sortByName(names.toReversed(), (name) => name)).toEqual(once);
  });

  it("that are many and long stand by their beginnings, and then as they are written", () => {
    const end = "x".repeat(240);
    const long = Array.from({ length: 3_000 }, (_, n) => `b${n}${end}2`);
    const names = ["a10", "A9", `c${end}10`, `c${end}9`, ...long];
    const sorted = sortByName(names, (name) => name);
    expect(sorted.slice(0, 4)).toEqual(["A9", "a10", long[0], long[1]]);
    expect(sorted.slice(-3)).toEqual([long.at(-1), `c${end}10`, `c${end}9`]);
    expect(sortByName(names.slice(0, 4), (name) => name).slice(2)).toEqual([`c${end}9`, `c${end}10`]);
  });
});

const INVISIBLE = {
  "bidirectional controls": "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  "joiners and spaces without width": "\u200b\u200c\u200d\u2060\ufeff\u180e",
  "invisible operators and old format controls": "\u2061\u2062\u2063\u2064\u206a\u206f\u00ad",
  "fillers and selectors": "\u034f\u115f\u1160\u3164\uffa0\ufe0f\u{e0100}",
  "tags and annotations": "\u{e0001}\u{e0041}\ufff9\ufffa\ufffb",
  "separators of lines and paragraphs": "\u2028\u2029",
};

describe("a name that leaves for another system", () => {
  it.each(Object.entries(INVISIBLE))("has no %s", (_, characters) => {
    for (const char of characters) expect(toVisibleName(`a${char}b.py`)).toBe("ab.py");
    expect(toContentDisposition(`a${characters}b.py`)).toBe(
      `attachment; filename="ab.py"; filename*=UTF-8''ab.py`,
    );
  });

  it("keeps every letter, mark and picture that is seen", () => {
    for (const name of ["שָׁלוֹם 🙂.md", "naïve e\u0301.txt", "日本語.py", "a b_c-d.tar.gz"])
      expect(toVisibleName(name)).toBe(name);
  });

  it("is never empty", () => {
    expect(toVisibleName("\u202e\u200b")).toBe("_");
  });
});

it.each([
  ["app/node_modules/x/index.js", "node_modules"],
  [".git/config", ".git"],
  ["a/.GIT./config", ".GIT."],
  ["a/.DS_Store", ".DS_Store"],
  ["Thumbs.db", "Thumbs.db"],
])("leaves out %s for %s", (path, junk) => {
  expect(findJunkName(path)).toBe(junk);
});

it.each(["a.py", "node_modules", "src/.gitignore", ".DS_Store/a.py", "my.git/a"])("keeps %s", (path) => {
  expect(findJunkName(path)).toBeUndefined();
});

it("knows the folders that tools fill", () => {
  expect(isJunkFolder("__pycache__")).toBe(true);
  expect(isJunkFolder("src")).toBe(false);
});

/** Every name of this length out of a few characters. */
function spelled(characters: string, length: number): string[] {
  const names = [""];
  for (let i = 0; i < length; i += 1)
    names.splice(0, names.length, ...names.flatMap((name) => [...characters].map((char) => name + char)));
  return names;
}

describe("the names in an archive", () => {
  it("are no devices of Windows", () => {
    const names = archiveNames(["CON", "aux.c", "con .txt", "COM¹.txt", "conin$", "console.py"]);
    expect(names).toEqual(["_CON", "_aux.c", "_con .txt", "_COM¹.txt", "_conin$", "console.py"]);
  });

  it("are numbered in order where several become one", () => {
    const names = archiveNames(["a?.py", "a*.py", "A_.py", "a_ (2).py", "a<.py"]);
    expect(names).toEqual(["a_.py", "a_ (2).py", "A_ (3).py", "a_ (2) (2).py", "a_ (4).py"]);
  });

  // If each of 10,000 names looked at all previous ones, it would take over a minute of processor time; this takes a tenth of a second.
  it.each([
    ["short ones that become one", spelled('<>:"|?*', 5).slice(0, 10_000)],
    [
      "long ones that become one where they are cut",
      spelled("aA", 6).flatMap((end) => spelled("bB", 6).map((mark) => `${"x".repeat(240)}${mark}${end}`)),
    ],
  ])("are each used once, for thousands of %s, without long work", (_, names) => {
    const before = process.cpuUsage();
    const unique = archiveNames(names);
    expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});

describe("a file that may hold secrets", () => {
  it.each(".env app/.env .env.local .ENV tls/server.pem id_rsa id_ed25519.old .netrc".split(" "))(
    "is %s",
    (path) => {
      expect(isSecretFile(path)).toBe(true);
    },
  );

  it.each([
    ...[".env (2)", ".env copy", ".env ", ".env.\u2028", "tls.pem (2)", "tls copy.pem", "a.key - Copy"],
    ...".env~ .env_prod .env.local.bak .env.example~ .envrc server.key.bak tls.pem.old a.key.1~".split(" "),
    ...["_netrc", ".netrc.bak"],
  ])("is a copy: %s", (path) => {
    expect(isSecretFile(path)).toBe(true);
  });

  it.each(
    [
      "api.key.ts key.md .environment .envoy.yaml a.pem.md .netrc.py",
      ".env.example env id_rsa.pub keys.py .env/readme.md environment.ts",
    ].flatMap((names) => names.split(" ")),
  )("is not %s", (path) => {
    expect(isSecretFile(path)).toBe(false);
  });

  it("is told from a name of any kind at once", async () => {
    const names = ["a.key.1".padEnd(255, ".1"), `${".key".repeat(63)}x`, `.env${" copy".repeat(50)}`];
    const ms = await ownProcessorMs(() => {
      for (let n = 0; n < 500; n += 1) for (const name of names) isSecretFile(name + n);
    });
    expect(ms).toBeLessThan(1_000);
  });
});
