import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { addSampleFiles, type SampleFile } from "#db/files/sample.server.ts";
import { addTags } from "#db/files/selection.server.ts";
import { TAGS_MAX } from "#domain/files/file.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, given } = await openTestStore();
const listFiles = (user_id: string) => db.files.find({ user_id }).sort({ created_at: 1 }).toArray();
describe("asking for the sample library", () => {
  const sample: SampleFile[] = Array.from({ length: 6 }, (_, i) => ({
    file_name: `sample-${i}.txt`,
    body: `${i}\n`,
    ...(i === 2 ? { favorite: true, pinned: true } : {}),
  }));

  it("many times at once makes each file once, in one version and in order", async () => {
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => Number(await addSampleFiles(db, "clicker", sample, NOON))),
    );

    const files = await listFiles("clicker");
    expect(counts.reduce((sum, count) => sum + count)).toBe(sample.length);
    expect(files.map(({ file_name }) => file_name)).toEqual(sample.map(({ file_name }) => file_name));
    expect(files.map(({ last_version }) => last_version)).toEqual(sample.map(() => 1));
    expect(files.filter(({ is_pinned }) => is_pinned)).toHaveLength(1);
    expect(await db.file_versions.countDocuments({ user_id: "clicker" })).toBe(sample.length);
    expect(await db.file_bodies.countDocuments({ user_id: "clicker" })).toBe(sample.length);
  });

  it("leaves a file of the same name alone", async () => {
    await saveFile(db, "keeper", { file_name: "sample-1.txt", body: "my own\n" }, NOON);
    expect(await addSampleFiles(db, "keeper", sample, NOON)).toBe(sample.length - 1);
    const mine = (await listFiles("keeper")).find(({ file_name }) => file_name === "sample-1.txt");
    expect(mine).toMatchObject({ version: 1, size_bytes: 7 });
  });
});

it("many concurrent tags never exceed the limit of a file, and each refusal names the full file", async () => {
  const { id } = await given.file("taggers", "busy.txt");
  const handfuls = Array.from({ length: 12 }, (_, i) => [`$${i}-a`, `${i}-b`, `${i}-c`]);

  const outcomes = await Promise.all(handfuls.map((tags) => addTags(db, "taggers", [id], tags)));

  const [file] = await listFiles("taggers");
  const added = handfuls.filter((_, i) => !isRefusal(outcomes[i]));
  expect(added).toHaveLength(Math.floor(TAGS_MAX / 3));
  expect(required(file).tags.toSorted()).toEqual(added.flat().toSorted());
  for (const outcome of outcomes.filter(isRefusal))
    expect(outcome).toEqual({ refused: "invalid_tags", context: { max_tags: TAGS_MAX, file_id: id } });
});
