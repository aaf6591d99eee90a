import fc from "fast-check";
import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { countHits, searchFiles } from "#db/search/file-search.server.ts";
import { indexFiles, indexLeftovers, unindexed } from "#db/search/search-index.server.ts";
import { FILE_KEYS_MAX, keyRange } from "#db/segments/segments.server.ts";
import { required } from "#domain/required.ts";
import { foldCase } from "#domain/text/folded.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";

const { db, given } = await openTestStore();

const save = async (owner: string, input: FileToSave, seconds = 0): Promise<string> =>
  (await given.saved(owner, input, afterNoon(seconds * 1000))).id;

type More = Partial<Parameters<typeof searchFiles>[2]>;

const search = async (owner: string, q: string, more: More = {}, store = db) =>
  orThrow(await searchFiles(store, owner, { q, sort: "created_at_desc", limit: 100, ...more }));

const names = async (owner: string, q: string, more: More = {}) =>
  (await search(owner, q, more)).hits.map(({ file }) => file.file_name);

describe("searching", () => {
  it("finds a file that is indexed at that very moment", async () => {
    const id = await save("meanwhile", { file_name: "by-curl.py", body: "x" });
    await db.search_segments.deleteMany({ _id: keyRange("meanwhile")._id });
    await db.files.updateOne({ user_id: "meanwhile" }, { $set: unindexed(), $unset: { n: 1 } });
    const meanwhile = replaceVerb(db, "files", "find", (find, filter, options) => {
      if (!("unindexed" in filter)) return find(filter, options);
      const toArray = async () => {
        await indexFiles(db, "meanwhile", [id]);
        return find(filter, options).toArray();
      };
      return { toArray };
    });
    const { hits } = await search("meanwhile", "by-curl", {}, meanwhile);
    expect(hits.map(({ file }) => file.id)).toEqual([id]);
  });

  it("finds a part of the name, the description, a tag or the text, in any case and script", async () => {
    await save("finder", { file_name: "Invoice.py", body: "print('שלום עולם')\n" });
    await save("finder", { file_name: "b", body: "", description: "Sends the INVOICE" }, 1);
    await save("finder", { file_name: "c", body: "x", tags: ["my-invoices"] }, 2);
    await save("finder", { file_name: "d", body: "# an invoice 🙂🙃🙂\n" }, 3);
    expect(await names("finder", "invoice")).toEqual(["d", "c", "b", "Invoice.py"]);
    expect(await names("finder", "ום עו")).toEqual(["Invoice.py"]);
    expect(await names("finder", "🙃🙂")).toEqual(["d"]);
    expect(await names("finder", "nothing like it")).toEqual([]);
    expect(await names("other", "invoice")).toEqual([]);
  });

  it("answers as reading every file would, whatever is in the files", async () => {
    const unit = fc.constantFrom(..."abBcשלΣς🙂🙃 \n:$İ");
    const text = fc.string({ unit, maxLength: 30 });
    const file = fc.record({ body: text, description: text, tags: fc.array(text, { maxLength: 2 }) });
    const library = fc.array(file, { minLength: 1, maxLength: 12 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        library,
        fc.array(fc.string({ unit, minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 8 }),
        async (files, needles) => {
          const owner = `fuzz${round++}`;
          await Promise.all(files.map((file, i) => save(owner, { file_name: `f${i}`, ...file }, i)));
          for (const needle of needles) {
            const plain = files.flatMap(({ body, description, tags }, i) =>
              [body, description, ...tags].some((part) => foldCase(part).includes(foldCase(needle)))
                ? [`f${i}`]
                : [],
            );
            expect(await names(owner, needle, { sort: "created_at_asc" })).toEqual(plain);
            expect(await countHits(db, owner, { q: needle, sort: "created_at_asc", limit: 1 })).toEqual({
              total: plain.length,
              exact: true,
            });
          }
        },
      ),
      { numRuns: isFullRun ? 15 : 4 },
    );
  });

  it("pages by creation time and id while files are added, forwards and back", async () => {
    const numbers = Array.from({ length: 47 }, (_, i) => i);
    const toBody = (i: number) => (i % 5 === 0 ? "zz" : `needle ${i}`);
    await Promise.all(numbers.map((i) => save("pager", { file_name: `p${i}`, body: toBody(i) }, i >> 1)));
    const wanted = numbers.filter((i) => i % 5 !== 0).map((i) => `p${i}`);
    for (const q of ["needle", "ne"]) {
      const pages: string[][] = [];
      let [cursor, before]: (string | undefined)[] = [];
      do {
        const page = await search("pager", q, { limit: 10, cursor });
        pages.push(page.hits.map(({ file }) => file.file_name));
        cursor = page.next_cursor ?? undefined;
        before = page.prev_cursor ?? undefined;
        await save("pager", { file_name: `late ${q} ${pages.length}`, body: "needle" }, 1000);
      } while (cursor);
      const names = pages.flat().filter((name) => name.startsWith("p"));
      expect(new Set(names).size).toBe(names.length);
      expect([...names].sort()).toEqual([...wanted].sort());
      const back = await search("pager", q, { limit: 10, before });
      expect(back.hits.map(({ file }) => file.file_name)).toEqual(pages.at(-2));
    }
  });

  it("goes on down the list where a common word is in none of the newest files", async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        save("deep", { file_name: `f${i}`, body: i < 18 ? "has the word" : "has none" }, i),
      ),
    );
    const first = await search("deep", "the word", { limit: 2 });
    expect(first.hits.map(({ file }) => file.file_name)).toEqual(["f17", "f16"]);
    expect(await names("deep", "the word", { limit: 2, cursor: required(first.next_cursor) })).toEqual([
      "f15",
      "f14",
    ]);
  });

  it("narrows its hits by every filter", async () => {
    await save("narrow", { file_name: "a.py", body: "needle", tags: ["t"] });
    await save("narrow", { file_name: "b.go", body: "needle", tags: ["t"] }, 1);
    await save("narrow", { file_name: "c.py", body: "needle" }, 2);
    await db.files.updateOne(
      { user_id: "narrow", file_name: "c.py" },
      { $set: { is_favorite: true, repo: "o/r" } },
    );
    expect(await names("narrow", "needle", { lang: "Python" })).toEqual(["c.py", "a.py"]);
    expect(await names("narrow", "needle", { lang: "python", category: "t" })).toEqual(["a.py"]);
    expect(await names("narrow", "needle", { category: "favorites" })).toEqual(["c.py"]);
    expect(await names("narrow", "needle", { repo: "o/r", category: "repo" })).toEqual(["c.py"]);
    expect(await names("narrow", "needle", { repo: "o/r", category: "other" })).toEqual([]);
  });

  it("finds the newest version alone", async () => {
    await save("editor", { file_name: "a", body: "before the edit" });
    await save("editor", { file_name: "a", body: "after it" });
    expect([await names("editor", "before"), await names("editor", "after it")]).toEqual([[], ["a"]]);
  });

  it("does not find what is in the trash", async () => {
    const id = await save("binner", { file_name: "a", body: "needle" });
    expect(await names("binner", "needle")).toEqual(["a"]);
    await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { deleted_at: NOON } });
    expect(await names("binner", "needle")).toEqual([]);
  });
});

describe("the search index", () => {
  it("still finds a file whose indexing was interrupted, and indexes it at the next start", async () => {
    const id = await save("crash", { file_name: "a", body: "first text" });
    const _id = new ObjectId(id);
    await db.files.updateOne({ _id }, { $set: { description: "second text", ...unindexed() } });
    expect(await names("crash", "second")).toEqual(["a"]);
    expect(await indexLeftovers(db)).toBeGreaterThan(0);
    expect(await db.files.findOne({ _id })).toMatchObject({ n: expect.any(Number) });
    expect((await db.files.findOne({ _id }))?.unindexed).toBeUndefined();
    expect(await names("crash", "second")).toEqual(["a"]);
    expect(await indexLeftovers(db)).toBe(0);
  });

  it("keeps a change that comes while another is being indexed marked until it is indexed itself", async () => {
    const id = await save("overlap", { file_name: "a", body: "text" });
    const changes = ["alpha", "bravo", "charlie"].map(async (description) => {
      await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { description, ...unindexed() } });
      await indexFiles(db, "overlap", [id]);
    });
    await Promise.all(changes);
    const { description } = required(await db.files.findOne({ _id: new ObjectId(id) }));
    expect(await names("overlap", description)).toEqual(["a"]);
  });

  it("looks through a file with too many different runs of characters itself", async () => {
    const body = `${Array.from({ length: FILE_KEYS_MAX * 1.1 }, (_, i) => String.fromCodePoint(0x1_0000 + i)).join("")}needle`;
    await save("wide", { file_name: "a", body });
    expect(await db.search_segments.countDocuments(keyRange("wide"))).toBe(0);
    expect(await names("wide", "needle")).toEqual(["a"]);
    expect(await names("wide", "needles")).toEqual([]);
  });
});
