import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { setOpened, toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { setFavorites } from "#db/files/selection.server.ts";
import { createTextMemory } from "#db/files/text-memory.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { readFolders } from "#db/folders/folders.server.ts";
import { createNote } from "#db/notes/notes.server.ts";
import { createPreferredMemory } from "#db/search/preferred-memory.ts";
import { search } from "#db/search/search.server.ts";
import { unindexed } from "#db/search/search-index.server.ts";
import { findAtPath } from "#db/search/search-sources.server.ts";
import type { Folder } from "#domain/folders/folder-tree.ts";
import { checkDraft } from "#domain/notes/note-schema.ts";
import { required } from "#domain/required.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();
let minute = 0;

async function save(owner: string, file_name: string, body = "text\n"): Promise<string> {
  minute += 1;
  return orThrow(
    await saveFile(db, owner, { file_name, body }, new Date(NOON.getTime() + minute * MINUTE_MS)),
  ).file.id;
}

const ask = async (owner: string, q: string, page: { offset?: number; limit?: number } = {}) =>
  search(db, owner, orThrow(parseSearchQuery(q)), { offset: 0, limit: 20, now: NOON, ...page });
const titles = async (owner: string, q: string) => (await ask(owner, q)).hits.map(({ title }) => title);

describe("the order of what a search finds", () => {
  it("is: the name, its beginning, a word in it, a part of it, a tag, the description, what defines it, any line", async () => {
    const owner = "ranks";
    await save(owner, "line.py", "x = 1\nprint(retry)\n");
    await save(owner, "defines.py", "def retry():\n    pass\n");
    const described = await save(owner, "described.py");
    orThrow(await updateDetails(db, owner, described, { description: "how to retry a call" }));
    const tagged = await save(owner, "tagged.py");
    orThrow(await updateDetails(db, owner, tagged, { tags: ["retry"] }));
    await save(owner, "noretry.py");
    await save(owner, "http_retry.py");
    await save(owner, "retrying.py");
    await save(owner, "retry.py");
    await save(owner, "unrelated.py");
    expect(await titles(owner, "retry")).toEqual([
      ...["retry.py", "retrying.py", "http_retry.py", "noretry.py"],
      ...["tagged.py", "described.py", "defines.py", "line.py"],
    ]);
  });

  it("finds a tag written with #, then the texts that say it so; in quotes the texts alone", async () => {
    const owner = "hashes";
    await save(owner, "says.c", "#include <math.h>\n// about #math\n");
    await save(owner, "math.py", "no hash\n");
    const tagged = await save(owner, "vectors.py");
    orThrow(await updateDetails(db, owner, tagged, { tags: ["Math", "c"] }));
    const within = await save(owner, "other.py");
    orThrow(await updateDetails(db, owner, within, { tags: ["mathematics"] }));
    const check = async () => {
      expect(await titles(owner, "#math")).toEqual(["vectors.py", "says.c"]);
      expect(await titles(owner, "#c")).toEqual(["vectors.py"]);
      expect(await titles(owner, "#math text")).toEqual(["vectors.py"]);
      expect(await titles(owner, '"#math"')).toEqual(["says.c"]);
      expect(await titles(owner, "#include")).toEqual(["says.c"]);
    };
    await check();
    await db.files.updateMany({ user_id: owner }, { $set: unindexed(), $unset: { n: "" } });
    await check();
  });

  it("finds a name by its first letters, its words and its initials, in any case", async () => {
    const owner = "names";
    for (const name of ["useLocalStorage.js", "retry.py", "vendor.min.js", "מדריך התקנה.md"])
      await save(owner, name);
    for (const q of ["ret", "re", "r", "RETRY.PY"]) expect((await titles(owner, q))[0]).toBe("retry.py");
    for (const q of [
      "ulS",
      "uls",
      "stor",
      "use",
      "useLS",
      "ulst",
      "usloc",
      "uloc",
      "uselstor",
      "ulocalstorag",
    ])
      expect((await titles(owner, q))[0] ?? `nothing by ${q}`).toBe("useLocalStorage.js");
    for (const q of ["usle", "lus"]) expect(await titles(owner, q)).toEqual([]);
    for (const q of ["מדר", "התק", "התקנה", "מדה", "מדרה", "מדהתק"])
      expect((await titles(owner, q))[0]).toBe("מדריך התקנה.md");
  });

  it("finds names by the beginnings of their words, however long these are together", async () => {
    const owner = "beginnings";
    for (const name of [
      "isolated-vm.ts",
      "useLocalStorageState.ts",
      "isolation-model.mjs",
      "use_loose_state.py",
    ])
      await save(owner, name);
    expect(await titles(owner, "isolatedvm")).toEqual(["isolated-vm.ts"]);
    expect(await titles(owner, "uselocalstostate")).toEqual(["useLocalStorageState.ts"]);
    expect(await titles(owner, "uselost")).toEqual(["use_loose_state.py", "useLocalStorageState.ts"]);
    expect(await titles(owner, "ulss")).toEqual(["useLocalStorageState.ts"]);
    expect(await titles(owner, `use${"x".repeat(50)}`)).toEqual([]);
  });

  it("puts pinned before starred before opened before edited last among equals", async () => {
    const owner = "equals";
    const [pinned, starred, opened] = [
      await save(owner, "match-pinned.py"),
      await save(owner, "match-starred.py"),
      await save(owner, "match-opened.py"),
    ];
    await save(owner, "match-older.py");
    await save(owner, "match-newer.py");
    orThrow(await togglePin(db, owner, pinned));
    orThrow(await toggleFavorite(db, owner, starred));
    await setOpened(db, owner, required(await findFile(db, owner, opened)), NOON);
    expect(await titles(owner, "match")).toEqual([
      "match-pinned.py",
      "match-starred.py",
      "match-opened.py",
      "match-newer.py",
      "match-older.py",
    ]);
  });

  it("changes at once where a process that remembers what it prefers pins, stars, opens or saves a file", async () => {
    const owner = "remembered";
    const remembering: Db = { ...db, texts: createTextMemory(), preferred: createPreferredMemory() };
    const names = Array.from({ length: 60 }, (_, i) => `f${String(i).padStart(2, "0")}.txt`);
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await save(owner, name, "a common word\n"));
    const findId = (name: string) => required(ids.get(name), name);
    const first = async (q = "common") =>
      (
        await search(remembering, owner, orThrow(parseSearchQuery(q)), { offset: 0, limit: 3, now: NOON })
      ).hits.map(({ title }) => title);
    expect(await first()).toEqual(["f59.txt", "f58.txt", "f57.txt"]);
    await setOpened(remembering, owner, required(await findFile(db, owner, findId("f03.txt")), "file"), NOON);
    expect(await first()).toEqual(["f03.txt", "f59.txt", "f58.txt"]);
    orThrow(await toggleFavorite(remembering, owner, findId("f02.txt")));
    expect(await first()).toEqual(["f02.txt", "f03.txt", "f59.txt"]);
    orThrow(await togglePin(remembering, owner, findId("f01.txt")));
    expect(await first()).toEqual(["f01.txt", "f02.txt", "f03.txt"]);
    orThrow(await togglePin(remembering, owner, findId("f01.txt")));
    orThrow(await setFavorites(remembering, owner, [findId("f02.txt")], false));
    await save(owner, "f03.txt", "a common word, rewritten\n");
    expect(await first()).toEqual(["f03.txt", "f59.txt", "f58.txt"]);
    expect(await first("rewritten")).toEqual(["f03.txt"]);
  });

  it("prefers the file that defines exactly what is asked for", async () => {
    const owner = "symbols";
    await save(owner, "a.ts", "export function readJsonLines() {}\n");
    await save(owner, "b.ts", "// first\nexport function readJson() {}\n");
    await save(owner, "c.ts", "readJson();\nreadJson();\n");
    expect(await titles(owner, "readJson")).toEqual(["b.ts", "a.ts", "c.ts"]);
    const [best] = (await ask(owner, "readjson")).hits;
    expect(best?.lines[0]).toMatchObject({ number: 2 });
  });
});

describe("what is typed", () => {
  it("means files that have every word, wherever each stands", async () => {
    const owner = "words";
    await save(owner, "retry.py", "def backoff():\n    pass\n");
    await save(owner, "other.py", "# retry with backoff\n");
    await save(owner, "half.py", "# retry\n");
    expect(await titles(owner, "retry backoff")).toEqual(["retry.py", "other.py"]);
    expect(await titles(owner, '"retry with"')).toEqual(["other.py"]);
    expect(await titles(owner, "retry -backoff")).toEqual(["half.py"]);
  });

  it("narrows by language, tag, path and kind", async () => {
    const owner = "narrow";
    const tagged = await save(owner, "a_thing.py", "zebra\n");
    orThrow(await updateDetails(db, owner, tagged, { tags: ["work"] }));
    await save(owner, "b_thing.ts", "zebra\n");
    expect(await titles(owner, "zebra lang:py")).toEqual(["a_thing.py"]);
    expect(await titles(owner, "zebra tag:work")).toEqual(["a_thing.py"]);
    expect(await titles(owner, "zebra path:b_")).toEqual(["b_thing.ts"]);
    expect(await titles(owner, "lang:ts")).toEqual(["b_thing.ts"]);
    expect(await titles(owner, "zebra in:repos")).toEqual([]);
  });

  it("leaves out by language, tag, path and kind, also what is not indexed yet", async () => {
    const owner = "leaves-out";
    const tagged = await save(owner, "a_thing.py", "zebra\n");
    orThrow(await updateDetails(db, owner, tagged, { tags: ["work", "old"] }));
    const typed = await save(owner, "b_thing.ts", "zebra\n");
    orThrow(await updateDetails(db, owner, typed, { tags: ["work"] }));
    const target = { kind: "file", file_id: typed } as const;
    const fields = orThrow(checkDraft({ content: "zebra note" }));
    orThrow(await createNote(db, owner, { target, fields, quota: { maxPerUser: 100 }, now: NOON }));
    const found = async (q: string) => (await titles(owner, q)).sort();
    const check = async () => {
      expect(await found("zebra")).toEqual(["a_thing.py", "b_thing.ts", "zebra note"]);
      expect(await found("zebra -lang:py")).toEqual(["b_thing.ts", "zebra note"]);
      expect(await found("zebra -lang:py,ts")).toEqual(["zebra note"]);
      expect(await found("tag:work -lang:python")).toEqual(["b_thing.ts"]);
      expect(await found("lang:py,ts -lang:ts")).toEqual(["a_thing.py"]);
      expect(await found("zebra -tag:OLD")).toEqual(["b_thing.ts", "zebra note"]);
      expect(await found("tag:work -tag:old")).toEqual(["b_thing.ts"]);
      expect(await found("zebra -path:B_ in:files")).toEqual(["a_thing.py"]);
      expect(await found("zebra -in:notes")).toEqual(["a_thing.py", "b_thing.ts"]);
      expect(await found("in:files -lang:py")).toEqual(["b_thing.ts"]);
    };
    await check();
    expect((await ask(owner, "zebra -lang:py")).counts).toEqual({ files: 1, notes: 1, repos: 0 });
    await db.files.updateMany({ user_id: owner }, { $set: unindexed(), $unset: { n: "" } });
    await check();
  });
});

describe("what a person sees first", () => {
  it("is a definition whose word begins so, before lines that only have it inside a word", async () => {
    const owner = "starts";
    await save(owner, "a.ts", "const x = 1; // retry\n");
    await save(owner, "b.ts", "export class RetryPolicy {}\n");
    await save(owner, "c.ts", "export function noretry() {}\n");
    expect(await titles(owner, "retry")).toEqual(["b.ts", "c.ts", "a.ts"]);
  });

  it("is every file on a path, where only that is asked for", async () => {
    const owner = "paths";
    await save(owner, "web-app.ts");
    await save(owner, "other.ts");
    expect(await titles(owner, "path:web")).toEqual(["web-app.ts"]);
  });

  it("is told with how many lines there are, and whether the name has it", async () => {
    const owner = "counted";
    await save(owner, "tapir.txt", "x\n");
    await save(owner, "b.txt", "a tapir\n".repeat(9));
    const { hits } = await ask(owner, "tapir");
    expect(hits).toMatchObject([
      { title: "tapir.txt", isNamed: true, lineCount: 0 },
      { title: "b.txt", isNamed: false, lineCount: 9 },
    ]);
    expect(hits[1]?.lines).toHaveLength(5);
  });

  it("is not counted as more than was met, where the index cannot count", async () => {
    const owner = "atleast";
    for (let i = 0; i < 30; i += 1) await save(owner, `f${i}.txt`, "zq\n");
    const { counts, precisions } = await ask(owner, "q", { limit: 10 });
    expect({ count: counts.files, precision: precisions.files }).toEqual({
      count: 11,
      precision: "at_least",
    });
  });
});

describe("a note", () => {
  it("is found beside files, called by its first line where it has no title, which is not told twice", async () => {
    const owner = "noted";
    const file = await save(owner, "a.py");
    const target = { kind: "file", file_id: file } as const;
    const fields = orThrow(checkDraft({ content: "tapir first\nmore\nanother tapir" }));
    orThrow(await createNote(db, owner, { target, fields, quota: { maxPerUser: 100 }, now: NOON }));
    const { hits, counts } = await ask(owner, "tapir");
    expect(hits).toMatchObject([
      { kind: "note", title: "tapir first", path: "a.py", lines: [{ number: 3 }] },
    ]);
    expect(counts).toEqual({ files: 0, notes: 1, repos: 0 });
  });
});

describe("a note in Markdown", () => {
  it("is shown without its marks, unless they are what was looked for", async () => {
    const owner = "marked";
    const target = { kind: "file", file_id: await save(owner, "a.py") } as const;
    const content = "**This** week\n\n- [ ] feed the `tapir`\n- [x] tapir **bath**";
    const fields = orThrow(checkDraft({ content }));
    orThrow(await createNote(db, owner, { target, fields, quota: { maxPerUser: 100 }, now: NOON }));
    const shown = async (q: string) => {
      const { hits } = await ask(owner, q);
      return hits.map(({ title, lines }) => [
        title,
        ...lines.map(({ number, parts }) => `${number} ${parts.map(({ text }) => text).join("")}`),
      ]);
    };
    expect(await shown("tapir")).toEqual([["This week", "3 ☐ feed the tapir", "4 ☑ tapir bath"]]);
    expect(await shown("**bath")).toEqual([["This week", "4 - [x] tapir **bath**"]]);
  });
});

describe("nothing is missed", () => {
  it("finds a file that is not indexed yet, and not one in the trash or of somebody else", async () => {
    const owner = "missed";
    const waiting = await save(owner, "waiting.py", "okapi\n");
    await db.files.updateOne({ user_id: owner }, { $set: unindexed(), $unset: { n: "" } });
    const gone = await save(owner, "okapi-gone.py");
    expect(await titles(owner, "okapi")).toEqual(["okapi-gone.py", "waiting.py"]);
    orThrow(await trashFile(db, owner, gone, NOON));
    expect((await ask(owner, "okapi")).hits).toMatchObject([{ id: waiting, kind: "file" }]);
    expect(await titles("stranger", "okapi")).toEqual([]);
  });

  it("finds one or two letters anywhere, after the names that begin with them", async () => {
    const owner = "short";
    await save(owner, "a.py", "zq = 1\n");
    await save(owner, "zq.py");
    expect(await titles(owner, "zq")).toEqual(["zq.py", "a.py"]);
  });

  it("pages through everything once, and says how much there is", async () => {
    const owner = "pages";
    const names = Array.from({ length: 45 }, (_, i) => `file-${i}.py`);
    for (const name of names) await save(owner, name, `a common line of ${name}\n`);
    const seen: string[] = [];
    for (let offset = 0; ; offset += 10) {
      const page = await ask(owner, "common", { offset, limit: 10 });
      seen.push(...page.hits.map(({ title }) => title));
      expect(page.counts.files).toBe(45);
      if (!page.more) break;
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
  });

  it("shows several lines of a file, with what was looked for marked", async () => {
    const owner = "lines";
    await save(owner, "a.txt", "one okapi\ntwo\nthree OKAPI okapi\n");
    const [hit] = (await ask(owner, "okapi")).hits;
    expect(hit?.lines.map(({ number }) => number)).toEqual([1, 3]);
    expect(hit?.lines[1]?.parts).toEqual([
      { text: "three ", hit: false },
      { text: "OKAPI", hit: true },
      { text: " ", hit: false },
      { text: "okapi", hit: true },
    ]);
  });
});

describe("a search through folders", () => {
  async function given(owner: string) {
    for (const path of ["lib/http/retry.py", "lib/retry.js", "notes/retry.md", "retry.txt"]) {
      const names = path.split("/");
      const file_name = required(names.pop());
      orThrow(await putFile(db, owner, { file_name, folders: names, body: "text\n" }, NOON));
    }
    return [...(await readFolders(db, owner)).values()];
  }

  it("tells the path of what it finds, and narrows by a part of it", async () => {
    await given("paths");
    const paths = async (q: string) => (await ask("paths", q)).hits.map(({ path }) => path).toSorted();
    expect(await paths("retry")).toEqual([
      "lib/http/retry.py",
      "lib/retry.js",
      "notes/retry.md",
      "retry.txt",
    ]);
    expect(await paths("retry path:lib/")).toEqual(["lib/http/retry.py", "lib/retry.js"]);
    expect(await paths("path:http")).toEqual(["lib/http/retry.py"]);
  });

  it("looks for a path among thousands of deep folders of one name without holding up others", async () => {
    const dates = { created_at: NOON, updated_at: NOON, deleted_at: null, expires_at: null };
    const tree = new Map<string, Folder>();
    const add = (parent_id: string | null, name: string) => {
      const id = tree.size.toString(16).padStart(24, "0");
      tree.set(id, { id, parent_id, name, ...dates });
      return id;
    };
    let deep: string | null = null;
    for (let depth = 0; depth < 13; depth += 1) deep = add(deep, "İ".repeat(255));
    for (let n = 0; n < 2_480; n += 1) add(add(deep, `${"İ".repeat(250)}${n}`), "last");
    const ms = await ownProcessorMs(async () =>
      expect(await findAtPath(db, "deep", tree, "elsewhere/last/a")).toEqual([]),
    );
    expect(ms).toBeLessThan(150);
  });

  it("finds a path that is pasted or typed, its last folders and the beginning of its name, before texts that have it", async () => {
    await given("pasted");
    const said = { file_name: "says.txt", folders: [], body: "see lib/retry.js\n" };
    orThrow(await putFile(db, "pasted", said, NOON));
    const paths = async (q: string) => (await ask("pasted", q)).hits.map(({ path }) => path);
    expect(await paths("lib/retry.js")).toEqual(["lib/retry.js", "says.txt"]);
    expect(await paths("http/ret")).toEqual(["lib/http/retry.py"]);
    expect(await paths("./LIB/http/")).toEqual(["lib/http/retry.py"]);
    expect(await paths('"lib/retry.js"')).toEqual(["says.txt"]);
    expect(await paths("b/retry")).toEqual(["says.txt"]);
    expect(await paths("nowhere/retry.js")).toEqual([]);
    const { counts } = await ask("pasted", "lib/retry.js");
    expect(counts.files).toBe(2);
  });

  it("finds a pasted path in any letter case, and by the first digits of a number", async () => {
    for (const file_name of ["Report10.PY", "report2.py", "résumé.py", "other.py"])
      orThrow(await putFile(db, "cases", { file_name, folders: ["Src"], body: "text\n" }, NOON));
    const paths = async (q: string) => (await ask("cases", q)).hits.map(({ path }) => path).toSorted();
    expect(await paths("src/REPORT10.py")).toEqual(["Src/Report10.PY"]);
    expect(await paths("SRC/rEpOrT")).toEqual(["Src/Report10.PY", "Src/report2.py"]);
    expect(await paths("src/report1")).toEqual(["Src/Report10.PY"]);
    expect(await paths("src/RÉSUMÉ.py")).toEqual(["Src/résumé.py"]);
    expect(await paths("src/report3.py")).toEqual([]);
  });

  it("finds what is in a folder and in the folders within it", async () => {
    const folders = await given("within");
    const inFolder = async (id: string) => {
      const query = { ...orThrow(parseSearchQuery("retry")), folder: id };
      const { hits } = await search(db, "within", query, { offset: 0, limit: 20, now: NOON });
      return hits.map(({ path }) => path).toSorted();
    };
    const lib = required(folders.find(({ name }) => name === "lib"));
    expect(await inFolder(lib.id)).toEqual(["lib/http/retry.py", "lib/retry.js"]);
    expect(await inFolder("0".repeat(24))).toEqual([]);
  });
});
