import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { FileDoc } from "#db/files/documents.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { recordFileOpening } from "#db/files/marks.server.ts";
import { type FileNarrowing, LARGE_BYTES } from "#domain/files/file-query.ts";
import { required } from "#domain/required.ts";
import { breakVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { readPages } from "#tests/support/test-runs/read-pages.ts";

const { db, events, given } = await openTestStore();

const save = async (owner: string, file_name: string, body = "x", now = NOON): Promise<SavedFile> =>
  orThrow(await saveFile(db, owner, { file_name, body }, now));

const noonPlus = (seconds: number) => afterNoon(seconds * 1000);
const ways = { newest: "created_at_desc", oldest: "created_at_asc" } as const;

async function pages(owner: string, way: keyof typeof ways, limit: number, between = async () => {}) {
  const list = (cursor?: string) => listFiles(db, owner, { sort: ways[way], limit, cursor });
  const read = await readPages(list, between);
  return read.map(({ files }) => files.map(({ file_name }) => file_name));
}

describe("saving a file", () => {
  it("keeps description and tags that a later save does not mention", async () => {
    await saveFile(db, "saver", { file_name: "b", body: "", description: "mine", tags: ["t"] }, NOON);
    const again = await save("saver", "b", "more");
    expect(again.file).toMatchObject({ description: "mine", tags: ["t"], version: 2 });
  });

  it("goes on showing the newest version if an older one is shown late", async () => {
    const { file } = await save("late", "a", "one");
    let isLate = false;
    const late = replaceVerb(db, "files", "findOneAndUpdate", async (findOneAndUpdate, ...words) => {
      // The write that shows version 2 comes after the complete save of version 3.
      if (!isLate && "$set" in words[1]) {
        isLate = true;
        await save("late", "a", "three");
      }
      return findOneAndUpdate(...words);
    });
    await saveFile(late, "late", { file_name: "a", body: "two" }, NOON);
    expect(isLate).toBe(true);
    const shown = required(await findFile(db, "late", file.id));
    expect(shown.version).toBe(3);
    expect(await readBody(db, "late", shown)).toBe("three");
    expect(await readBody(db, "late", { ...shown, version: 2 })).toBe("two");
  });

  it("announces itself without a name or a text", async () => {
    const file = await given.file("announcer", "private-name.txt", "private text");
    const stored = await events("business_metric");
    expect(stored.filter(({ resource }) => resource?.id === file.id)).toMatchObject([
      { metric: "file_saved", severity: "info", timestamp: NOON, resource: { type: "file", id: file.id } },
    ]);
    expect(JSON.stringify(stored)).not.toMatch(/private/);
  });

  it("goes on showing the last whole version if the store breaks between its steps", async () => {
    const before = await given.file("unlucky", "kept.txt", "one");
    const store = breakVerb(db, "file_versions", "insertOne");

    const saving = saveFile(store, "unlucky", { file_name: "kept.txt", body: "two" }, NOON);
    await expect(saving).rejects.toThrow("gone");

    expect(await events("db_save_code_snippet_error")).toMatchObject([
      { severity: "error", error: "Error", resource: { type: "file" } },
    ]);
    const after = await findFile(db, "unlucky", before.id);
    expect(after).toMatchObject({ version: 1 });
    expect(await readBody(db, "unlucky", required(after))).toBe("one");
    expect((await save("unlucky", "kept.txt", "three")).file.version).toBe(3);
  });
});

it.each(["", "zzz", "0123456789abcdef01234567", "0123456789ABCDEF01234567", "../x"])(
  "the id %j finds no file",
  async (id) => {
    expect(await findFile(db, "saver", id)).toBeNull();
  },
);

describe("listing files", () => {
  it("tells files of the same moment apart by their id", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) await save("twins", name, "x", NOON);
    const names = (await pages("twins", "newest", 2)).flat();
    expect(names.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
    expect((await pages("twins", "oldest", 2)).flat()).toEqual(names.toReversed());
  });

  it("neither repeats nor skips while files are added", async () => {
    for (const i of [0, 1, 2, 3, 4]) await save("busy", `old${i}`, "x", noonPlus(i));
    let added = 0;
    const addOne = async () => void (await save("busy", `new${++added}`, "x", noonPlus(100 + added)));
    const shown = await pages("busy", "newest", 2, addOne);
    expect(shown.flat()).toEqual(["old4", "old3", "old2", "old1", "old0"]);
  });
});

const OWNER = "filterer";

async function keep(file_name: string, seconds: number, extra: Partial<FileDoc> = {}, tags: string[] = []) {
  const file = await given.saved(OWNER, { file_name, body: "x", tags }, noonPlus(seconds));
  await db.files.updateOne({ _id: new ObjectId(file.id) }, { $set: extra });
  return file;
}

await keep("a.py", 0, { is_favorite: true, last_opened_at: noonPlus(50) }, ["web"]);
await keep("b.py", 1, { is_pinned: true, repo: "o/one" }, ["web", "large"]);
await keep("c.go", 2, { repo: "o/two", size_bytes: LARGE_BYTES, last_opened_at: noonPlus(70) });
await keep("d.go", 3, { is_favorite: true, size_bytes: LARGE_BYTES - 1, last_opened_at: noonPlus(60) }, [
  "web",
]);

const FILTERS: [FileNarrowing, string[]][] = [
  [{}, ["d.go", "c.go", "b.py", "a.py"]],
  [{ lang: "PYTHON" }, ["b.py", "a.py"]],
  [{ lang: "pyth" }, []],
  [{ category: "recent" }, ["c.go", "d.go", "a.py"]],
  [{ category: "favorites" }, ["d.go", "a.py"]],
  [{ category: "pinned" }, ["b.py"]],
  [{ category: "repo" }, ["c.go", "b.py"]],
  [{ category: "large" }, ["c.go"]],
  [{ category: "other" }, ["d.go", "a.py"]],
  [{ category: "web" }, ["d.go", "b.py", "a.py"]],
  [{ category: "nothing" }, []],
  [{ repo: "o/one" }, ["b.py"]],
  [{ lang: "go", category: "favorites" }, ["d.go"]],
  [{ lang: "go", category: "recent" }, ["c.go", "d.go"]],
  [{ lang: "python", category: "web", repo: "o/one" }, ["b.py"]],
  [{ category: "other", repo: "o/one" }, []],
  [{ category: "repo", repo: "o/two" }, ["c.go"]],
];

it.each(FILTERS)(
  "the list filtered by %j has exactly its files, each of them on pages of one, and counts them",
  async (narrowing, wanted) => {
    const list = (limit: number) => (cursor?: string) =>
      listFiles(db, OWNER, { ...narrowing, sort: "created_at_desc", limit, cursor });
    for (const limit of [20, 1]) {
      const pages = await readPages(list(limit));
      expect(pages.flatMap(({ files }) => files.map(({ file_name }) => file_name))).toEqual(wanted);
    }
    expect(await countFiles(db, OWNER, narrowing)).toBe(wanted.length);
  },
);

it("opening a file records the time, once a minute at most, and does not count as an update", async () => {
  const { id, updated_at } = await keep("opened.txt", 4);
  const open = async (seconds: number) => {
    await recordFileOpening(db, OWNER, required(await findFile(db, OWNER, id)), noonPlus(seconds));
    return required(await findFile(db, OWNER, id));
  };
  expect(await open(100)).toMatchObject({ last_opened_at: noonPlus(100), updated_at });
  expect(await open(159)).toMatchObject({ last_opened_at: noonPlus(100) });
  expect(await open(160)).toMatchObject({ last_opened_at: noonPlus(160), updated_at });
});
