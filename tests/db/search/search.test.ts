import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { recordFileOpening, toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { setFavorites } from "#db/files/selection.server.ts";
import { createTextCache } from "#db/files/text-memory.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { createPreferredCache } from "#db/search/preferred-memory.ts";
import { search } from "#db/search/search.server.ts";
import { unindexed } from "#db/search/search-index.server.ts";
import { findFilesAtPath } from "#db/search/search-sources.server.ts";
import type { Folder } from "#domain/files/folders/folder-tree.ts";
import { required } from "#domain/required.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { ABSENT_ID, onFile } from "#tests/support/given.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
let minute = 0;

/** Saves a file that is a minute newer than the one before it. */
async function save(owner: string, file_name: string, body = "text\n", more: Details = {}): Promise<string> {
  minute += 1;
  return (await given.saved(owner, { file_name, body, ...more }, afterNoon(minute * MINUTE_MS))).id;
}

async function saveAll(owner: string, texts: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await save(owner, name, text);
}

/** The state after a process was killed before it indexed the files. */
const unindex = (owner: string) =>
  db.files.updateMany({ user_id: owner }, { $set: unindexed(), $unset: { n: "" } });

type Details = { tags?: string[]; description?: string };
const ask = async (owner: string, q: string, page: { offset?: number; limit?: number } = {}) =>
  search(db, owner, orThrow(parseSearchQuery(q)), { offset: 0, limit: 20, now: NOON, ...page });
const titles = async (owner: string, q: string) => (await ask(owner, q)).hits.map(({ title }) => title);

describe("the order of what a search finds", () => {
  it("is: the name, its beginning, a word in it, a part of it, a tag, the description, what defines it, any line", async () => {
    const owner = "ranks";
    await saveAll(owner, { "line.py": "x = 1\nprint(retry)\n", "defines.py": "def retry():\n    pass\n" });
    await save(owner, "described.py", "text\n", { description: "how to retry a call" });
    await save(owner, "tagged.py", "text\n", { tags: ["retry"] });
    for (const name of ["noretry.py", "http_retry.py", "retrying.py", "retry.py", "unrelated.py"])
      await save(owner, name);
    expect(await titles(owner, "retry")).toEqual([
      ...["retry.py", "retrying.py", "http_retry.py", "noretry.py"],
      ...["tagged.py", "described.py", "defines.py", "line.py"],
    ]);
  });

  it("finds a tag written with #, then the texts that say it so; in quotes the texts alone", async () => {
    const owner = "hashes";
    await saveAll(owner, { "says.c": "#include <math.h>\n// about #math\n", "math.py": "no hash\n" });
    await save(owner, "vectors.py", "text\n", { tags: ["Math", "c"] });
    await save(owner, "other.py", "text\n", { tags: ["mathematics"] });
    const check = async () => {
      expect(await titles(owner, "#math")).toEqual(["vectors.py", "says.c"]);
      expect(await titles(owner, "#c")).toEqual(["vectors.py"]);
      expect(await titles(owner, "#math text")).toEqual(["vectors.py"]);
      expect(await titles(owner, '"#math"')).toEqual(["says.c"]);
      expect(await titles(owner, "#include")).toEqual(["says.c"]);
    };
    await check();
    await unindex(owner);
    await check();
  });

  it("finds a name by its first letters, its words and its initials, in any case", async () => {
    const owner = "names";
    for (const name of ["useLocalStorage.js", "retry.py", "vendor.min.js", "מדריך התקנה.md"])
      await save(owner, name);
    const expectFirst = async (name: string, needles: string) => {
      for (const q of needles.split(" ")) expect([q, (await titles(owner, q))[0]]).toEqual([q, name]);
    };
    await expectFirst("retry.py", "ret re r RETRY.PY");
    await expectFirst("useLocalStorage.js", "ulS uls stor use useLS ulst usloc uloc uselstor ulocalstorag");
    await expectFirst("מדריך התקנה.md", "מדר התק התקנה מדה מדרה מדהתק");
    for (const q of ["usle", "lus"]) expect(await titles(owner, q)).toEqual([]);
  });

  it("finds names by the beginnings of their words, however long these are together", async () => {
    const owner = "beginnings";
    const names = "isolated-vm.ts useLocalStorageState.ts isolation-model.mjs use_loose_state.py";
    for (const name of names.split(" ")) await save(owner, name);
    expect(await titles(owner, "isolatedvm")).toEqual(["isolated-vm.ts"]);
    expect(await titles(owner, "uselocalstostate")).toEqual(["useLocalStorageState.ts"]);
    expect(await titles(owner, "uselost")).toEqual(["use_loose_state.py", "useLocalStorageState.ts"]);
    expect(await titles(owner, "ulss")).toEqual(["useLocalStorageState.ts"]);
    expect(await titles(owner, `use${"x".repeat(50)}`)).toEqual([]);
  });

  it("puts pinned before starred before opened before edited last among equals", async () => {
    const owner = "equals";
    const pinned = await save(owner, "match-pinned.py");
    const starred = await save(owner, "match-starred.py");
    const opened = await save(owner, "match-opened.py");
    for (const name of ["match-older.py", "match-newer.py"]) await save(owner, name);
    orThrow(await togglePin(db, owner, pinned));
    orThrow(await toggleFavorite(db, owner, starred));
    await recordFileOpening(db, owner, required(await findFile(db, owner, opened)), NOON);
    const order = ["pinned", "starred", "opened", "newer", "older"];
    expect(await titles(owner, "match")).toEqual(order.map((what) => `match-${what}.py`));
  });

  it("changes at once where a process that remembers what it prefers pins, stars, opens or saves a file", async () => {
    const owner = "remembered";
    const remembering: Db = { ...db, texts: createTextCache(), preferred: createPreferredCache() };
    const ids: string[] = [];
    for (let i = 0; i < 60; i += 1) ids.push(await save(owner, `f${i + 10}.txt`, "a common word\n"));
    const [second, third, fourth] = ids.slice(1) as [string, string, string];
    const first = async (q = "common") => {
      const page = { offset: 0, limit: 3, now: NOON };
      const { hits } = await search(remembering, owner, orThrow(parseSearchQuery(q)), page);
      return hits.map(({ title }) => title.slice(1, 3)).join(" ");
    };
    expect(await first()).toBe("69 68 67");
    await recordFileOpening(remembering, owner, required(await findFile(db, owner, fourth)), NOON);
    expect(await first()).toBe("13 69 68");
    orThrow(await toggleFavorite(remembering, owner, third));
    expect(await first()).toBe("12 13 69");
    orThrow(await togglePin(remembering, owner, second));
    expect(await first()).toBe("11 12 13");
    orThrow(await togglePin(remembering, owner, second));
    orThrow(await setFavorites(remembering, owner, [third], false));
    await save(owner, "f13.txt", "a common word, rewritten\n");
    expect(await first()).toBe("13 69 68");
    expect(await first("rewritten")).toBe("13");
  });
});

describe("what is typed", () => {
  it("means files that have every word, wherever each stands", async () => {
    const owner = "words";
    await saveAll(owner, {
      "retry.py": "def backoff():\n    pass\n",
      "other.py": "# retry with backoff\n",
      "half.py": "# retry\n",
    });
    expect(await titles(owner, "retry backoff")).toEqual(["retry.py", "other.py"]);
    expect(await titles(owner, '"retry with"')).toEqual(["other.py"]);
    expect(await titles(owner, "retry -backoff")).toEqual(["half.py"]);
  });

  it("leaves out by language, tag, path and kind, also what is not indexed yet", async () => {
    const owner = "leaves-out";
    await save(owner, "a_thing.py", "zebra\n", { tags: ["work", "old"] });
    const id = await save(owner, "b_thing.ts", "zebra\n", { tags: ["work"] });
    await given.note(owner, { content: "zebra note" }, onFile({ id }));
    const searchTitles = async (q: string) => (await titles(owner, q)).sort();
    const check = async () => {
      expect(await searchTitles("zebra")).toEqual(["a_thing.py", "b_thing.ts", "zebra note"]);
      expect(await searchTitles("zebra -lang:py")).toEqual(["b_thing.ts", "zebra note"]);
      expect(await searchTitles("zebra -lang:py,ts")).toEqual(["zebra note"]);
      expect(await searchTitles("tag:work -lang:python")).toEqual(["b_thing.ts"]);
      expect(await searchTitles("lang:py,ts -lang:ts")).toEqual(["a_thing.py"]);
      expect(await searchTitles("zebra -tag:OLD")).toEqual(["b_thing.ts", "zebra note"]);
      expect(await searchTitles("tag:work -tag:old")).toEqual(["b_thing.ts"]);
      expect(await searchTitles("zebra -path:B_ in:files")).toEqual(["a_thing.py"]);
      expect(await searchTitles("zebra -in:notes")).toEqual(["a_thing.py", "b_thing.ts"]);
      expect(await searchTitles("in:files -lang:py")).toEqual(["b_thing.ts"]);
    };
    await check();
    expect((await ask(owner, "zebra -lang:py")).counts).toEqual({ files: 1, notes: 1, repos: 0 });
    await unindex(owner);
    await check();
  });
});

describe("what a person sees first", () => {
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
    expect([counts.files, precisions.files]).toEqual([11, "at_least"]);
  });
});

describe("a note", () => {
  it("is found beside files, called by its first line where it has no title, which is not told twice", async () => {
    const owner = "noted";
    const id = await save(owner, "a.py");
    await given.note(owner, { content: "tapir first\nmore\nanother tapir" }, onFile({ id }));
    const { hits, counts } = await ask(owner, "tapir");
    expect(hits).toMatchObject([
      { kind: "note", title: "tapir first", path: "a.py", lines: [{ number: 3 }] },
    ]);
    expect(counts).toEqual({ files: 0, notes: 1, repos: 0 });
  });

  it("in Markdown is shown without its marks, unless they are what was looked for", async () => {
    const owner = "marked";
    const id = await save(owner, "a.py");
    const content = "**This** week\n\n- [ ] feed the `tapir`\n- [x] tapir **bath**";
    await given.note(owner, { content }, onFile({ id }));
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
    await unindex(owner);
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
    const names = Array.from({ length: 25 }, (_, i) => `file-${i}.py`);
    for (const name of names) await save(owner, name, `a common line of ${name}\n`);
    const listed: string[] = [];
    for (let offset = 0; ; offset += 10) {
      const page = await ask(owner, "common", { offset, limit: 10 });
      listed.push(...page.hits.map(({ title }) => title));
      expect(page.counts.files).toBe(25);
      if (!page.more) break;
    }
    expect(listed.toSorted()).toEqual(names.toSorted());
  });
});

describe("a search through folders", () => {
  async function givenTree(owner: string) {
    const paths = ["lib/http/retry.py", "lib/retry.js", "notes/retry.md", "retry.txt"];
    for (const path of paths) await given.path(owner, path);
    return paths;
  }
  const listPaths = async (owner: string, q: string) => (await ask(owner, q)).hits.map(({ path }) => path);

  it("tells the path of what it finds, and narrows by a part of it", async () => {
    const all = await givenTree("in folders");
    const paths = async (q: string) => (await listPaths("in folders", q)).toSorted();
    expect(await paths("retry")).toEqual(all);
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
      expect(await findFilesAtPath(db, "deep", tree, "elsewhere/last/a")).toEqual([]),
    );
    expect(ms).toBeLessThan(150);
  });

  it("finds a path that is pasted or typed, its last folders and the beginning of its name, before texts that have it", async () => {
    await givenTree("pasted");
    await given.file("pasted", "says.txt", "see lib/retry.js\n");
    const paths = (q: string) => listPaths("pasted", q);
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
    for (const name of ["Report10.PY", "report2.py", "résumé.py", "other.py"])
      await given.path("cases", `Src/${name}`);
    const paths = async (q: string) => (await listPaths("cases", q)).toSorted();
    expect(await paths("src/REPORT10.py")).toEqual(["Src/Report10.PY"]);
    expect(await paths("SRC/rEpOrT")).toEqual(["Src/Report10.PY", "Src/report2.py"]);
    expect(await paths("src/report1")).toEqual(["Src/Report10.PY"]);
    expect(await paths("src/RÉSUMÉ.py")).toEqual(["Src/résumé.py"]);
    expect(await paths("src/report3.py")).toEqual([]);
  });

  it("finds what is in a folder and in the folders within it", async () => {
    await givenTree("within");
    const folders = [...(await readFolders(db, "within")).values()];
    const inFolder = async (id: string) => {
      const query = { ...orThrow(parseSearchQuery("retry")), folder: id };
      const { hits } = await search(db, "within", query, { offset: 0, limit: 20, now: NOON });
      return hits.map(({ path }) => path).toSorted();
    };
    const lib = required(folders.find(({ name }) => name === "lib"));
    expect(await inFolder(lib.id)).toEqual(["lib/http/retry.py", "lib/retry.js"]);
    expect(await inFolder(ABSENT_ID)).toEqual([]);
  });
});
