import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { FileDoc } from "#db/files/documents.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { setOpened } from "#db/files/marks.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { LARGE_BYTES } from "#domain/files/file-query.ts";
import { required } from "#domain/required.ts";
import { afterNoon, openTestStore } from "#tests/support/store.ts";
import { readPages } from "#tests/support/test-runs/read-pages.ts";

const { db, given } = await openTestStore();
const OWNER = "filterer";
const at = (seconds: number) => afterNoon(seconds * 1000);

async function save(file_name: string, seconds: number, extra: Partial<FileDoc> = {}, tags: string[] = []) {
  const file = await given.saved(OWNER, { file_name, body: "x", tags }, at(seconds));
  await db.files.updateOne({ _id: new ObjectId(file.id) }, { $set: extra });
  return file;
}

await save("a.py", 0, { is_favorite: true, last_opened_at: at(50) }, ["web"]);
await save("b.py", 1, { is_pinned: true, repo: "o/one" }, ["web", "large"]);
await save("c.go", 2, { repo: "o/two", size_bytes: LARGE_BYTES, last_opened_at: at(70) });
await save("d.go", 3, { is_favorite: true, size_bytes: LARGE_BYTES - 1, last_opened_at: at(60) }, ["web"]);

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

describe("the list narrowed to", () => {
  it.each(FILTERS)(
    "%j has exactly its files, all of them on pages of one, and counts them",
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
});

describe("opening a file", () => {
  it("sets when it was last opened, once a minute at most, and leaves when it was updated", async () => {
    const { id, updated_at } = await save("opened.txt", 4);
    const open = async (seconds: number) => {
      await setOpened(db, OWNER, required(await findFile(db, OWNER, id)), at(seconds));
      return required(await findFile(db, OWNER, id));
    };
    expect(await open(100)).toMatchObject({ last_opened_at: at(100), updated_at });
    expect(await open(159)).toMatchObject({ last_opened_at: at(100) });
    expect(await open(160)).toMatchObject({ last_opened_at: at(160), updated_at });
  });
});
