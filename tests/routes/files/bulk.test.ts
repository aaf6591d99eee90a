import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { saveFile } from "#tests/support/files/save-file.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const dana = await web.visitor().logIn("50");
const noam = await web.visitor().logIn("51");
const ABSENT = "0".repeat(24);
const ENDPOINTS = [
  "/api/files/bulk-favorite",
  "/api/files/bulk-unfavorite",
  "/api/files/bulk-tag",
  "/api/files/bulk-delete",
  "/api/files/create-zip",
  "/api/files/create-share-link",
];

const send = (visitor: Visitor, path: string, body: unknown) =>
  visitor.ask(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const answer = async (visitor: Visitor, path: string, body: unknown) => {
  const response = await send(visitor, path, body);
  return [response.status, await response.json()];
};
const kept = () => web.db.files.find({}).sort({ _id: 1 }).toArray();

describe.each(ENDPOINTS)("%s", (path) => {
  const name = path.split("/").at(-1);
  const ids = (length: number) => Array.from({ length }, (_, n) => (n + 1).toString(16).padStart(24, "0"));

  it.each([
    ["no list", {}, 400, "No files selected"],
    ["an empty list", { file_ids: [] }, 400, "No files selected"],
    ["101 ids", { file_ids: ids(101) }, 400, "Too many files (max 100)"],
    ["a malformed id", { file_ids: ["x"] }, 400, "Invalid file id"],
    ["an operator", { file_ids: { $ne: null } }, 400, "Invalid file id"],
    ["an operator in the list", { file_ids: [{ $ne: null }] }, 400, "Invalid file id"],
    ["no object", [], 400, "invalid_payload"],
    ["no JSON", "{", 400, "invalid_payload"],
    ["nothing at all", "", 400, "invalid_payload"],
  ])("refuses %s", async (_, body, status, error) => {
    expect(await answer(dana, path, body)).toEqual([
      status,
      expect.objectContaining({ success: false, error }),
    ]);
  });

  it("changes nothing when one file is missing, foreign or deleted, and names those", async () => {
    const [mine, foreign, deleted] = [
      await saveFile(dana, `mine ${name}`),
      await saveFile(noam, `foreign ${name}`),
      await saveFile(dana, `deleted ${name}`),
    ];
    await dana.ask(`/api/file/${deleted}/trash`, { method: "POST" });
    const before = await kept();

    const answered = await answer(dana, path, { file_ids: [mine, foreign, ABSENT, deleted], tags: ["t"] });

    expect(answered).toEqual([
      404,
      {
        success: false,
        error: "Some files not found",
        code: "files_not_found",
        missing: [foreign, ABSENT, deleted],
      },
    ]);
    expect(await kept()).toEqual(before);
  });

  it("is for whoever is logged in", async () => {
    expect((await send(web.visitor(), path, { file_ids: [ABSENT] })).status).toBe(401);
    const read = await dana.ask(path);
    expect([read.status, read.headers.get("Allow")]).toEqual([405, expect.stringContaining("POST")]);
  });
});

describe("favourites in bulk", () => {
  it("are set and taken, each file once", async () => {
    const ids = [await saveFile(dana, "f1"), await saveFile(dana, "f2")];
    expect(await answer(dana, "/api/files/bulk-favorite", { file_ids: [...ids, ids[0]] })).toEqual([
      200,
      { success: true, updated: 2 },
    ]);
    expect(await web.db.files.countDocuments({ user_id: "50", is_favorite: true })).toBe(2);
    expect(await answer(dana, "/api/files/bulk-unfavorite", { file_ids: ids })).toEqual([
      200,
      { success: true, updated: 2 },
    ]);
    expect(await web.db.files.countDocuments({ user_id: "50", is_favorite: true })).toBe(0);
  });

  it("are set on a hundred files at once", async () => {
    const tamar = await web.visitor().logIn("52");
    const ids: string[] = [];
    for (let i = 0; i < 100; i += 1) ids.push(await saveFile(tamar, `${i}`));
    expect(await answer(tamar, "/api/files/bulk-favorite", { file_ids: ids })).toEqual([
      200,
      { success: true, updated: 100 },
    ]);
  });
});

describe("tags in bulk", () => {
  it("are added to those a file has, each once, as typed but for spaces and #", async () => {
    const id = await saveFile(dana, "tagged");
    await answer(dana, "/api/files/bulk-tag", { file_ids: [id], tags: ["one", " #two "] });
    expect(await answer(dana, "/api/files/bulk-tag", { file_ids: [id], tags: ["two", "שלוש"] })).toEqual([
      200,
      { success: true, updated: 1 },
    ]);
    expect(required((await kept()).find(({ file_name }) => file_name === "tagged")).tags).toEqual([
      "one",
      "two",
      "שלוש",
    ]);
  });

  it.each([
    ["none", undefined, "No tags provided"],
    ["an empty list", [], "No tags provided"],
    ["blank ones", [" ", "#"], "No tags provided"],
    ["21 of them", Array.from({ length: 21 }, (_, n) => `${n}`), "invalid_tags"],
    ["one of 51 characters", ["x".repeat(51)], "invalid_tags"],
    ["an operator", [{ $ne: null }], "invalid_tags"],
    ["a text", "one", "invalid_tags"],
  ])("are refused for %s", async (_, tags, error) => {
    const id = await saveFile(dana, "untagged");
    expect(await answer(dana, "/api/files/bulk-tag", { file_ids: [id], tags })).toEqual([
      400,
      expect.objectContaining({ success: false, error }),
    ]);
    expect(required((await kept()).find(({ file_name }) => file_name === "untagged")).tags).toEqual([]);
  });

  it("are refused whole where one file would have too many", async () => {
    const [full, empty] = [await saveFile(dana, "full"), await saveFile(dana, "empty")];
    const twenty = Array.from({ length: 20 }, (_, n) => `t${n}`);
    await answer(dana, "/api/files/bulk-tag", { file_ids: [full], tags: twenty });
    expect(await answer(dana, "/api/files/bulk-tag", { file_ids: [empty, full], tags: ["more"] })).toEqual([
      400,
      expect.objectContaining({ error: "invalid_tags", file_id: full }),
    ]);
    expect(required((await kept()).find(({ file_name }) => file_name === "empty")).tags).toEqual([]);
  });
});

describe("deleting in bulk", () => {
  it.each([
    [undefined, "2037-12-14T12:00:00.000+00:00"],
    [null, "2037-12-14T12:00:00.000+00:00"],
    [1, "2037-11-15T12:00:00.000+00:00"],
    [30, "2037-12-14T12:00:00.000+00:00"],
  ])("with ttl_days %s expires at %s", async (ttl_days, expires_at) => {
    const ids = [await saveFile(dana, "d1"), await saveFile(dana, "d2")];
    expect(await answer(dana, "/api/files/bulk-delete", { file_ids: ids, ttl_days })).toEqual([
      200,
      { success: true, deleted: 2, expires_at },
    ]);
    expect((await dana.ask(`/file/${ids[0]}`)).status).toBe(404);
  });

  it.each([0, 31, 1.5, "7", true])("refuses ttl_days %s", async (ttl_days) => {
    const id = await saveFile(dana, "stays");
    expect(await answer(dana, "/api/files/bulk-delete", { file_ids: [id], ttl_days })).toEqual([
      400,
      expect.objectContaining({ success: false, error: "invalid_payload", field: "ttl_days" }),
    ]);
    expect((await dana.ask(`/file/${id}`)).status).toBe(200);
  });
});

/** Written apart from the product's own writer: reads the directory at the end, then each entry by its place. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from("504b0506", "hex"));
  let at = bytes.readUInt32LE(end + 16);
  const entries = new Map<string, Buffer>();
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, packed, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    const place = bytes.readUInt32LE(at + 42);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const start = place + 30 + bytes.readUInt16LE(place + 26) + bytes.readUInt16LE(place + 28);
    const data = bytes.subarray(start, start + packed);
    entries.set(name, method === 8 ? inflateRawSync(data) : Buffer.from(data));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

describe("a zip of files", () => {
  const large = "x = 1\n".repeat(100_000);
  const contents: [string, string][] = [
    ["a.py", "print(1)\n"],
    ["A.PY", "print(2)\n"],
    ["manifest.json", "{}"],
    ["שלום 🙂.md", "# שלום\n"],
    ["CON.txt", "reserved"],
    ["what?.txt", "question"],
    ["empty", ""],
    ["large.py", large],
  ];

  it("has every text under a safe name of its own, and a manifest", async () => {
    const rina = await web.visitor().logIn("53");
    const ids: string[] = [];
    for (const [name, body] of contents) ids.push(await saveFile(rina, name, body));

    const response = await send(rina, "/api/files/create-zip", { file_ids: ids });

    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Content-Disposition")).toContain('filename="codeshelf-2037-11-14.zip"');
    const bytes = Buffer.from(await response.arrayBuffer());
    const entries = unzip(bytes);
    expect([...entries.keys()]).toEqual([
      "a.py",
      "A (2).PY",
      "manifest (2).json",
      "שלום 🙂.md",
      "_CON.txt",
      "what_.txt",
      "empty",
      "large.py",
      "manifest.json",
    ]);
    expect([...entries.values()].slice(0, -1).map(String)).toEqual(contents.map(([, body]) => body));
    const manifest = JSON.parse(String(entries.get("manifest.json")));
    expect(manifest).toMatchObject({ count: 8, created_at: "2037-11-14T12:00:00.000+00:00" });
    expect(manifest.files[1]).toMatchObject({ path: "A (2).PY", file_name: "A.PY", id: ids[1], version: 1 });
    await foreignReaders(bytes);
  });

  /** What others make of it, where they are installed. */
  async function foreignReaders(bytes: Buffer): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), "codeshelf-zip-"));
    const path = join(directory, "a.zip");
    await writeFile(path, bytes);
    const test = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), len(z.namelist()))";
    const run = promisify(execFile);
    const absent = (error: { code?: unknown }) => {
      if (error.code === "ENOENT") return null;
      throw error;
    };
    try {
      const python = await run("python3", ["-c", test, path]).catch(absent);
      if (python) expect(python.stdout.trim()).toBe("None 9");
      const unzipped = await run("unzip", ["-tqq", path]).catch(absent);
      if (unzipped) expect(unzipped.stderr).toBe("");
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  it("comes from the form of the list too", async () => {
    const id = await saveFile(dana, "zipped by form.py");
    const response = await dana.submit("/files/actions", { intent: "zip", file_ids: id });
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect([...unzip(Buffer.from(await response.arrayBuffer())).keys()]).toEqual([
      "zipped by form.py",
      "manifest.json",
    ]);
  });
});
