import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { FileDoc } from "#db/files/documents.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { setOpened } from "#db/files/marks.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { LARGE_BYTES } from "#domain/files/file-query.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();
const OWNER = "filterer";
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

type Extra = Partial<Pick<FileDoc, "is_favorite" | "is_pinned" | "repo" | "size_bytes" | "last_opened_at">>;

async function given(file_name: string, seconds: number, extra: Extra = {}, tags: string[] = []) {
  const saved = await saveFile(db, OWNER, { file_name, body: "x", tags }, at(seconds));
  if (isRefusal(saved)) throw new Error(saved.refused);
  await db.files.updateOne({ _id: new ObjectId(saved.file.id) }, { $set: extra });
  return saved.file;
}

await given("a.py", 0, { is_favorite: true, last_opened_at: at(50) }, ["web"]);
await given("b.py", 1, { is_pinned: true, repo: "o/one" }, ["web", "large"]);
await given("c.go", 2, { repo: "o/two", size_bytes: LARGE_BYTES, last_opened_at: at(70) });
await given("d.go", 3, { is_favorite: true, size_bytes: LARGE_BYTES - 1, last_opened_at: at(60) }, ["web"]);

async function names(narrowing: FileNarrowing, limit = 20, cursor?: string) {
  const page = await listFiles(db, OWNER, { ...narrowing, sort: "created_at_desc", limit, cursor });
  if (isRefusal(page)) throw new Error(page.refused);
  return { names: page.files.map(({ file_name }) => file_name), next: page.next_cursor ?? undefined };
}

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
      expect((await names(narrowing)).names).toEqual(wanted);
      const paged: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await names(narrowing, 1, cursor);
        paged.push(...page.names);
        cursor = page.next;
        if (!cursor) break;
      }
      expect(paged).toEqual(wanted);
      expect(await countFiles(db, OWNER, narrowing)).toBe(wanted.length);
    },
  );
});

describe("opening a file", () => {
  it("sets when it was last opened, once a minute at most, and leaves when it was updated", async () => {
    const { id, updated_at } = await given("opened.txt", 4);
    const open = async (seconds: number) => {
      await setOpened(db, OWNER, required(await findFile(db, OWNER, id)), at(seconds));
      return required(await findFile(db, OWNER, id));
    };
    expect(await open(100)).toMatchObject({ last_opened_at: at(100), updated_at });
    expect(await open(159)).toMatchObject({ last_opened_at: at(100) });
    expect(await open(160)).toMatchObject({ last_opened_at: at(160), updated_at });
  });
});
