import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { listByOthers } from "#tests/support/files/library-zips.ts";
import { ABSENT_ID } from "#tests/support/given.ts";
import { openTestWeb, refusal } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();
const ENDPOINTS = [
  "bulk-favorite",
  "bulk-unfavorite",
  "bulk-tag",
  "bulk-delete",
  "create-zip",
  "create-share-link",
];

const send = (name: string, body: object, visitor = dana) => visitor.send("POST", `/api/files/${name}`, body);
const readAll = () => web.db.files.find({}).sort({ _id: 1 }).toArray();
const readTags = async (id: string) => (await dana.readJson(`/api/file/${id}`)).file.tags;
const countFavorites = () => web.db.files.countDocuments({ user_id: dana.id, is_favorite: true });

describe.each(ENDPOINTS)("/api/files/%s", (name) => {
  it("changes nothing when one file is missing, foreign or deleted, and names those", async () => {
    const [mine, deleted] = [await dana.saveFile(`mine ${name}`), await dana.saveFile(`deleted ${name}`)];
    const foreign = await noam.saveFile(`foreign ${name}`);
    await dana.send("POST", `/api/file/${deleted}/trash`);
    const before = await readAll();

    const { status, body } = await send(name, { file_ids: [mine, foreign, ABSENT_ID, deleted], tags: ["t"] });

    const missing = [foreign, ABSENT_ID, deleted];
    const error = { error: "Some files not found", code: "files_not_found" };
    expect([status, body]).toEqual([404, { success: false, ...error, missing }]);
    expect(await readAll()).toEqual(before);
  });
});

it("favourites are set and removed in bulk, each file once", async () => {
  const ids = [await dana.saveFile("f1"), await dana.saveFile("f2")];
  const set = await send("bulk-favorite", { file_ids: [...ids, ids[0]] });
  expect([set.body, await countFavorites()]).toEqual([{ success: true, updated: 2 }, 2]);
  const removed = await send("bulk-unfavorite", { file_ids: ids });
  expect([removed.body, await countFavorites()]).toEqual([{ success: true, updated: 2 }, 0]);
});

describe("tags in bulk", () => {
  it("are added to a file's tags, each once, as typed except for spaces and #", async () => {
    const id = await dana.saveFile("tagged");
    await send("bulk-tag", { file_ids: [id], tags: ["one", " #two "] });
    const { status, body } = await send("bulk-tag", { file_ids: [id], tags: ["two", "שלוש"] });
    expect([status, body]).toEqual([200, { success: true, updated: 1 }]);
    expect(await readTags(id)).toEqual(["one", "two", "שלוש"]);
  });

  it.each([
    [[" ", "#"], "No tags provided"],
    [["x".repeat(51)], "invalid_tags"],
  ])("are refused if they are %j", async (tags, error) => {
    const id = await dana.saveFile("untagged");
    const refused = refusal(400, error, { success: false });
    expect(await send("bulk-tag", { file_ids: [id], tags })).toMatchObject(refused);
    expect(await readTags(id)).toEqual([]);
  });
});

it.each([
  [undefined, "2037-12-14T12:00:00.000+00:00"],
  [1, "2037-11-15T12:00:00.000+00:00"],
])("deleting in bulk with ttl_days %s expires at %s", async (ttl_days, expires_at) => {
  const file_ids = [await dana.saveFile("d1"), await dana.saveFile("d2")];
  const { status, body } = await send("bulk-delete", { file_ids, ttl_days });
  expect([status, body]).toEqual([200, { success: true, deleted: 2, expires_at }]);
  expect((await dana.show(`/file/${file_ids[0]}`)).status).toBe(404);
});

describe("a zip of files", () => {
  const readZip = async (response: Response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const entries = Object.entries(unzipSync(bytes)).map(([name, text]) => [name, strFromU8(text)] as const);
    return { bytes, entries };
  };
  const TEXTS: [name: string, path: string, text: string][] = [
    ["a.py", "a.py", "print(1)\n"],
    ["A.PY", "A (2).PY", "print(2)\n"],
    ["manifest.json", "manifest (2).json", "{}"],
    ["שלום 🙂.md", "שלום 🙂.md", "# שלום\n"],
    ["CON.txt", "_CON.txt", "reserved"],
    ["what?.txt", "what_.txt", "question"],
    ["empty", "empty", ""],
    ["large.py", "large.py", "x = 1\n".repeat(100_000)],
  ];

  it("has every text under a safe unique name, and a manifest", async () => {
    const rina = await web.person();
    const file_ids: string[] = [];
    for (const [name, , text] of TEXTS) file_ids.push(await rina.saveFile(name, text));

    const response = await rina.ask("/api/files/create-zip", {
      method: "POST",
      body: JSON.stringify({ file_ids }),
    });

    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Content-Disposition")).toContain('filename="codeshelf-2037-11-14.zip"');
    const { bytes, entries } = await readZip(response);
    expect(entries.slice(0, -1)).toEqual(TEXTS.map(([, path, text]) => [path, text]));
    const [name, text = ""] = entries.at(-1) ?? [];
    const manifest = JSON.parse(text);
    expect(name).toBe("manifest.json");
    expect(manifest).toMatchObject({ count: 8, created_at: "2037-11-14T12:00:00.000+00:00" });
    const second = { path: "A (2).PY", file_name: "A.PY", id: file_ids[1], version: 1 };
    expect(manifest.files[1]).toMatchObject(second);
    expect(await listByOthers(bytes)).toHaveLength(9);
  });
});
