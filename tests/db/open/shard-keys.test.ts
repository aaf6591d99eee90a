import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { SHARD_KEYS } from "#db/open/shard-keys.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { listShardWrites, listStoreSources } from "#tests/support/databases/shard-writes.ts";

/** Each line is a write that would ask every shard or that older servers refuse; the last two are right. */
const SAMPLE = `
import type { Filter } from "mongodb";
import { ObjectId } from "mongodb";
import type { Db } from "${PROJECT_ROOT}/db/client.ts";
import type { FileDoc } from "${PROJECT_ROOT}/db/files.server.ts";
const one = new ObjectId();
const byFilter = (filter: Filter<FileDoc>) => filter;
const held = (user_id?: string) => ({ _id: one, ...(user_id ? { user_id } : {}) });
const owned = (user_id: string) => ({ _id: one, user_id });
export const writes = (db: Db, ownerId: string) => [
  db.files.updateOne({ _id: one }, { $set: { lines: 1 } }),
  db.files.findOneAndUpdate(byFilter({ _id: one, user_id: ownerId }), { $set: { lines: 1 } }),
  db.files.deleteOne(held(ownerId)),
  db.notes.deleteOne({ user_id: { $gt: "" } }),
  db.repo_files.bulkWrite([{ updateOne: { filter: { path: "a" }, update: { $set: { n: 1 } } } }]),
  db.files.updateOne(owned(ownerId), { $set: { lines: 1 } }),
  db.users.updateOne({ _id: ownerId }, { $set: { locale: "en" } }),
];
`;

const directory = mkdtempSync(join(tmpdir(), "codeshelf-shards-"));
const sample = join(directory, "sample.ts");
writeFileSync(sample, SAMPLE);
const writes = listShardWrites(PROJECT_ROOT, [...listStoreSources(PROJECT_ROOT), sample]);
rmSync(directory, { recursive: true });

const uniqueIndexes = Object.entries(INDEXES).flatMap(([collection, indexes]) =>
  indexes
    .filter(({ options }) => options?.unique)
    .map(({ name, key }) => [`${collection}.${name}`, collection as keyof typeof INDEXES, key] as const),
);

describe("on a sharded cluster", () => {
  it.each(uniqueIndexes)("%s begins with the field its collection is divided by", (_, collection, key) => {
    const shardKey = SHARD_KEYS[collection];

    if ("by" in shardKey) expect(Object.keys(key)[0]).toBe(shardKey.by);
    else expect(shardKey.whole).not.toBe("");
  });

  it("every write to one document says which shard has it", () => {
    const ours = writes.filter(({ place }) => place.startsWith("db/"));
    expect(ours.length).toBeGreaterThan(100);

    expect(ours.filter(({ targets }) => !targets)).toEqual([]);
  });

  it("a write that does not would be seen", () => {
    const theirs = writes.filter(({ place }) => !place.startsWith("db/"));

    expect(theirs.map(({ collection, verb, targets }) => [collection, verb, targets])).toEqual([
      ["files", "updateOne", false],
      ["files", "findOneAndUpdate", false],
      ["files", "deleteOne", false],
      ["notes", "deleteOne", false],
      ["repo_files", "bulk updateOne", false],
      ["files", "updateOne", true],
      ["users", "updateOne", true],
    ]);
  });
});

describe("docs/scaling.md", () => {
  const page = readFileSync(join(PROJECT_ROOT, "docs", "scaling.md"), "utf8");
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(([, name, key, unique]) => [
      name,
      [required(key).trim(), required(unique).trim()],
    ]),
  );

  it.each(Object.entries(SHARD_KEYS))(
    "tells by what %s is divided, and what is unique in it",
    (name, key) => {
      const unique = INDEXES[name as keyof typeof INDEXES]
        .filter(({ options }) => options?.unique)
        .map((index) => `\`${Object.keys(index.key).join(", ")}\``);

      expect(rows.get(name)).toEqual(["by" in key ? `\`${key.by}\`` : "whole", unique.join("; ") || "–"]);
    },
  );
});
