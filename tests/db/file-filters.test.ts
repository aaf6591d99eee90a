import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { filterOf, past, placeOf, type Span, sortOf, spanOf } from "#db/file-filters.server.ts";
import { withNumbers } from "#db/file-search.server.ts";
import { countFiles, type FileDoc, findFile, listFiles, saveFile, setOpened } from "#db/files.server.ts";
import { postingRange } from "#db/postings.server.ts";
import type { FileNarrowing } from "#domain/file-query.ts";
import { LARGE_BYTES } from "#domain/file-query.ts";
import { isRefusal } from "#domain/refusal.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, mongo } = await openTestStore();
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

const FILTERS: [FileNarrowing, string[], index: string][] = [
  [{}, ["d.go", "c.go", "b.py", "a.py"], "by_creation"],
  [{ lang: "PYTHON" }, ["b.py", "a.py"], "by_language"],
  [{ lang: "pyth" }, [], "by_language"],
  [{ category: "recent" }, ["c.go", "d.go", "a.py"], "by_opening"],
  [{ category: "favorites" }, ["d.go", "a.py"], "favorites"],
  [{ category: "pinned" }, ["b.py"], "pinned"],
  [{ category: "repo" }, ["c.go", "b.py"], "from_repos"],
  [{ category: "large" }, ["c.go"], "large"],
  [{ category: "other" }, ["d.go", "a.py"], "by_repo"],
  [{ category: "web" }, ["d.go", "b.py", "a.py"], "by_tag"],
  [{ category: "nothing" }, [], "by_tag"],
  [{ repo: "o/one" }, ["b.py"], "by_repo"],
  [{ lang: "go", category: "favorites" }, ["d.go"], "favorites_by_language"],
  [{ lang: "go", category: "recent" }, ["c.go", "d.go"], "by_opening"],
  [{ lang: "python", category: "web", repo: "o/one" }, ["b.py"], "by_language"],
  [{ category: "other", repo: "o/one" }, [], "by_repo"],
  [{ category: "repo", repo: "o/two" }, ["c.go"], "by_repo"],
];

function stagesOf(plan: unknown): string[] {
  if (typeof plan !== "object" || plan === null) return [];
  const { stage } = plan as { stage?: string };
  return [...(stage ? [stage] : []), ...Object.values(plan).flatMap(stagesOf)];
}

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

  it.each(FILTERS)(
    "%j is read from an index in its order, from the first page and from a later one",
    async (narrowing, _, index) => {
      const doc = (await db.files.findOne({ user_id: OWNER }))!;
      for (const sort of ["created_at_desc", "created_at_asc"] as const) {
        const { order } = spanOf({ ...narrowing, sort, limit: 20 }) as Span;
        for (const from of [null, placeOf(doc, order)]) {
          const filter = past(filterOf(OWNER, narrowing), order, from);
          const { queryPlanner } = await db.files.find(filter).sort(sortOf(order)).limit(21).explain();
          const stages = stagesOf(queryPlanner.winningPlan);
          expect(stages).not.toContain("COLLSCAN");
          expect(stages).not.toContain("SORT");
          expect(JSON.stringify(queryPlanner.winningPlan)).toContain(`"indexName":"${index}"`);
        }
      }
    },
  );
});

describe("the queries of a search", () => {
  it.each([
    ["numbers", { user_id: OWNER, deleted_at: null, ...withNumbers([1, 2, 3]) }, "by_number"],
    ["what is not indexed yet", { user_id: OWNER, deleted_at: null, unindexed: { $gt: "" } }, "unindexed"],
  ])("read %s from an index", async (_, filter, index) => {
    const { queryPlanner } = await db.files.find(filter).explain();
    expect(stagesOf(queryPlanner.winningPlan)).not.toContain("COLLSCAN");
    expect(JSON.stringify(queryPlanner.winningPlan)).toContain(`"indexName":"${index}"`);
  });

  it("read postings by a range of their key", async () => {
    const { queryPlanner } = await mongo
      .collection("postings")
      .find(postingRange(`${OWNER}:abc`) as object)
      .explain();
    expect(stagesOf(queryPlanner.winningPlan)).not.toContain("COLLSCAN");
  });
});

describe("opening a file", () => {
  it("sets when it was last opened, once a minute at most, and leaves when it was updated", async () => {
    const { id, updated_at } = await given("opened.txt", 4);
    const open = async (seconds: number) => {
      await setOpened(db, OWNER, (await findFile(db, OWNER, id))!, at(seconds));
      return (await findFile(db, OWNER, id))!;
    };
    expect(await open(100)).toMatchObject({ last_opened_at: at(100), updated_at });
    expect(await open(159)).toMatchObject({ last_opened_at: at(100) });
    expect(await open(160)).toMatchObject({ last_opened_at: at(160), updated_at });
  });
});
