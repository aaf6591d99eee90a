import { expect, it } from "vitest";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { countListed, offerFacets, readFacetsOnce } from "#app/files/list/list-counts.server.ts";
import type { Db } from "#db/client.ts";
import { saveFile } from "#db/files/files.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();

/** Counts how often the store is asked whether the facets changed. */
function watched(): { store: Db; asked: () => number } {
  let asked = 0;
  const search_numbers = new Proxy(db.search_numbers, {
    get(target, name) {
      if (name === "findOne") asked += 1;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { store: { ...db, search_numbers }, asked: () => asked };
}

it("a page of the list asks once for the library's facets, for what it offers and for how many files there are", async () => {
  for (const name of ["a.py", "b.py", "c.go"]) await saveFile(db, "7", { file_name: name, body: name }, NOON);
  const { store, asked } = watched();
  const readFacets = readFacetsOnce(store, "7");
  const page = await listFilePage(store, "7", { sort: "name_asc", limit: 2 });
  if (isRefusal(page)) throw new Error(page.refused);

  const offered = await offerFacets(store, "7", {}, readFacets);
  expect(offered.languages).toEqual([
    { value: "python", count: 2 },
    { value: "go", count: 1 },
  ]);
  expect(await countListed(store, "7", {}, page, readFacets)).toBe(3);
  expect(await countListed(store, "7", { lang: "python" }, page, readFacets)).toBe(2);
  expect(asked()).toBe(1);
});
