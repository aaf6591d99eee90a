import { describe, expect, it } from "vitest";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { sampleText } from "#db/local/sample/sample-texts.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { foldCase } from "#domain/text/folded.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();

describe("the sample library", () => {
  it("is listed, read and found like files that were saved one by one", async () => {
    await fillLibrary(db, { ownerId: "seeded", from: 0, to: 120, now: NOON });
    await fillLibrary(db, { ownerId: "seeded", from: 120, to: 130, now: NOON });
    expect(await db.files.countDocuments({ user_id: "seeded" })).toBe(130);
    for (const q of ["xylophone", "תזכורת", "retry_ledger"]) {
      const page = orThrow(await searchFiles(db, "seeded", { q, sort: "created_at_asc", limit: 100 }));
      const plain = Array.from({ length: 130 }, (_, i) => sampleText(i)).filter(({ body }) =>
        foldCase(body).includes(q),
      );
      expect(page.hits.map(({ file }) => file.file_name).sort()).toEqual(
        plain
          .slice(0, 100)
          .map(({ file_name }) => file_name)
          .sort(),
      );
      const file = required(await findFile(db, "seeded", itemAt(page.hits, 0).file.id));
      expect(await readBody(db, "seeded", file)).toContain(q);
    }
  });
});
