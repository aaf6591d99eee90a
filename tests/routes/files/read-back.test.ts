import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { ABSENT_ID, newPersonId } from "#tests/support/given.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const owner = newPersonId();
await web.person(owner);
const reader = await web.script(owner, "read");
const writer = await web.script(owner);

type Headers = Record<string, string>;

const toAddress = (name: string) => `/api/files/${encodeURIComponent(name)}`;
const get = (path: string, headers: Headers = {}) => reader.send("GET", path, undefined, headers);
const put = (name: string, body: string, headers: Headers = {}) =>
  writer.send("PUT", toAddress(name), body, headers);
const remove = (name: string) => writer.send("DELETE", toAddress(name));
const save = writer.saveFile.bind(writer);
const patch = (id: string, changes: object) => writer.send("PATCH", `/api/file/${id}`, changes);
const readContent = (id: string, headers: Headers = {}) => get(`/api/file/${id}/content`, headers);
const countVersions = async (id: string) => (await get(`/api/file/${id}/versions`)).body.versions.length;

const LONG_AGO = "Thu, 01 Jan 1998 00:00:00 GMT";
const TEXT = "\uFEFFשלום\r\n\r\tprint('🙂')\n\n  no newline at the end";

describe("a text that was saved", () => {
  it("is read back byte for byte with a read token, by its name and by its id", async () => {
    const name = "read me back 🙂.py";
    const id = await save(name, TEXT);
    for (const path of [toAddress(name), `/api/file/${id}/content`]) {
      const response = await reader.ask(path);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(TEXT))).toBe(true);
      const headers = {
        "content-type": "text/plain; charset=utf-8",
        "content-length": String(Buffer.byteLength(TEXT)),
        "x-content-type-options": "nosniff",
        "x-file-id": id,
        "x-file-version": "1",
        etag: `"${id}.1"`,
        "last-modified": new Date(web.clock()).toUTCString(),
      };
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
      const head = await reader.send("HEAD", path);
      expect([head.body, Object.fromEntries(head.headers)]).toMatchObject(["", headers]);
    }
  });

  it("is not compressed, because its tag stands for these very bytes", async () => {
    const id = await save("long.txt", "a line\n".repeat(1_000));
    const gzip = { "Accept-Encoding": "gzip" };
    const { headers } = await readContent(id, gzip);
    expect([headers.get("Content-Encoding"), headers.get("Content-Length")]).toEqual([null, "7000"]);
    expect((await get(`/api/file/${id}?content=1`, gzip)).headers.get("Content-Encoding")).toBe("gzip");
  });

  it("is there in its older versions, too", async () => {
    const id = await save("older.txt", "one", "two!");
    const { body, headers } = await get("/api/files/older.txt?version=1");
    expect([body, headers.get("X-File-Version"), headers.get("ETag")]).toEqual(["one", "1", `"${id}.1"`]);
    expect((await readContent(id)).body).toBe("two!");
    for (const version of ["3", "0"])
      expect((await get(`/api/files/older.txt?version=${version}`)).status, version).toBe(404);
  });

  it("is not sent again if the caller has it", async () => {
    const id = await save("cached.txt", "cached");
    const etag = `"${id}.1"`;
    const modified = required((await readContent(id)).headers.get("Last-Modified"));
    for (const [headers, status] of [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": `"other", W/${etag}` }, 304],
      [{ "If-None-Match": "*" }, 304],
      [{ "If-None-Match": '"1"' }, 304],
      [{ "If-None-Match": '"2"' }, 200],
      [{ "If-Modified-Since": modified }, 304],
      [{ "If-Modified-Since": LONG_AGO }, 200],
      [{ "If-Modified-Since": "yesterday, or so" }, 200],
      [{ "If-None-Match": '"2"', "If-Modified-Since": modified }, 200],
    ] as [Headers, number][]) {
      const answer = await readContent(id, headers);
      const body = status === 304 ? "" : "cached";
      expect(answer, JSON.stringify(headers)).toMatchObject({ status, body });
      expect(answer.headers.get("ETag")).toBe(etag);
    }
  });

  it("has another tag after it is deleted and made again under its name", async () => {
    const etag = `"${await save("again.txt", "first life")}.1"`;
    await remove("again.txt");
    await save("again.txt", "second life");
    const second = { status: 200, body: "second life" };
    expect(await get("/api/files/again.txt", { "If-None-Match": etag })).toMatchObject(second);
    expect((await put("again.txt", "lost", { "If-Match": etag })).status).toBe(412);
  });
});

describe("a part of a text", () => {
  const DIGITS = "0123456789";

  it.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=-99", 206, DIGITS, "bytes 0-9/10"],
    ["bytes=8-99", 206, "89", "bytes 8-9/10"],
    ["bytes=0-1,4-5", 200, DIGITS, null],
    ["bytes=5-2", 200, DIGITS, null],
    ["lines=1-2", 200, DIGITS, null],
    ["bytes=-", 200, DIGITS, null],
  ])("%s is answered %i", async (Range, status, text, place) => {
    const { headers, ...answer } = await readContent(await save("digits.txt", DIGITS), { Range });
    expect(answer).toEqual({ status, body: text });
    const length = String(text.length);
    expect([headers.get("Content-Range"), headers.get("Content-Length")]).toEqual([place, length]);
  });

  it.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("%s is not there", async (Range) => {
    const { status, body, headers } = await readContent(await save("digits.txt", DIGITS), { Range });
    expect([status, headers.get("Content-Range")]).toEqual([416, "bytes */10"]);
    expect(body).toMatchObject({ ok: false, error: "range_not_satisfiable" });
  });

  it("is sent whole if the text has changed since the caller began, and of an empty text does not exist", async () => {
    const id = await save("digits.txt", DIGITS);
    for (const [version, status] of [
      [1, 206],
      [9, 200],
    ])
      expect((await readContent(id, { Range: "bytes=0-1", "If-Range": `"${id}.${version}"` })).status).toBe(
        status,
      );
    const empty = await save("empty.txt", "");
    expect((await readContent(empty, { Range: "bytes=0-" })).status).toBe(416);
    expect((await readContent(empty)).headers.get("Content-Length")).toBe("0");
  });
});

describe("the record of a file", () => {
  it("is one answer, with the text if requested", async () => {
    const id = await save("known.py", "print(1)\n");
    const { file } = (await get(`/api/file/${id}`)).body;
    const moment = expect.stringMatching(/\+00:00$/);
    expect(file).toEqual({
      id,
      file_name: "known.py",
      path: "known.py",
      folder_id: null,
      language: "python",
      description: "",
      tags: [],
      version: 1,
      size_bytes: 9,
      lines: 1,
      is_favorite: false,
      is_pinned: false,
      repo: null,
      source_url: null,
      created_at: moment,
      updated_at: moment,
      etag: `"${id}.1"`,
    });
    const withContent = { ...file, content: "print(1)\n" };
    expect((await get(`/api/file/${id}?content=1`)).body.file).toEqual(withContent);
  });

  it("changes without a new version, and the text stays", async () => {
    const id = await save("before.txt", "# x\n");
    const about = { file_name: "after.md", description: " why ", tags: ["#a", "b", "a"] };
    const changed = { path: "after.md", language: "markdown", description: "why", version: 1 };
    expect(await patch(id, about)).toMatchObject({
      status: 200,
      body: { file: { ...changed, file_name: "after.md", tags: ["a", "b"] } },
    });
    expect(await countVersions(id)).toBe(1);
    expect((await get("/api/files/after.md")).body).toBe("# x\n");
    expect((await get("/api/files/before.txt")).status).toBe(404);
    const untagged = (await patch(id, { tags: [], folder_id: null })).body.file;
    expect(untagged).toMatchObject({ tags: [], description: "why" });
  });

  it("keeps a language that was chosen when the name changes", async () => {
    const id = await save("chosen.txt");
    await patch(id, { language: "yaml" });
    expect((await patch(id, { file_name: "chosen.py" })).body.file.language).toBe("yaml");
  });

  it.each([
    ["a name of another file", { file_name: "taken.txt" }, 409, "name_taken"],
    ["a path", { file_name: "a/b" }, 400, "Invalid file name"],
    ["a folder that is not there", { folder_id: ABSENT_ID }, 404, "folder_not_found"],
    ["a tag of two", { tags: ["a,b"] }, 400, "invalid_tags"],
    ["an unknown field", { name: "x.txt" }, 400, "invalid_payload"],
  ])("refuses %s, and nothing changes", async (_, changes, status, error) => {
    await save("taken.txt", "other\n");
    const id = await save("refused.txt");
    const before = (await get(`/api/file/${id}`)).body;
    const refused = await patch(id, { description: "new", ...changes });
    expect(refused).toMatchObject({ status, body: { ok: false, error } });
    if (error === "name_taken") expect(refused.body).toMatchObject(changes);
    expect((await get(`/api/file/${id}`)).body).toEqual(before);
  });

  it("lists its versions page by page, none twice and none left out", async () => {
    const id = await save("listed.txt", "1", "22", "333", "4444", "55555");
    const sizes: number[] = [];
    for (let cursor = ""; cursor !== null; ) {
      const query = `limit=2${cursor && `&cursor=${cursor}`}`;
      const { versions, next_cursor } = (await get(`/api/file/${id}/versions?${query}`)).body;
      sizes.push(...versions.map(({ size_bytes }: { size_bytes: number }) => size_bytes));
      cursor = next_cursor;
    }
    expect(sizes).toEqual([5, 4, 3, 2, 1]);
  });
});

describe("saving only if nothing changed", () => {
  it("makes no version of an existing text", async () => {
    const file_id = await save("same.txt", "same\n");
    const same = { ok: true, file_id, version: 1, unchanged: true };
    expect(await put("same.txt", "same\n")).toMatchObject({ status: 200, body: same });
    expect((await put("same.txt", "other\n")).body).toMatchObject({ version: 2 });
    expect(await countVersions(file_id)).toBe(2);
  });

  it.each([
    ["If-Match", '"<id>.1"', 200],
    ["If-Match", '"1"', 200],
    ["If-Match", "*", 200],
    ["If-Match", '"<id>.7", "<id>.1"', 200],
    ["If-Match", 'W/"<id>.1"', 412],
    ["If-Match", '"2"', 412],
    ["If-Match", '"nonsense"', 412],
    ["If-None-Match", "*", 412],
    ["If-None-Match", '"1"', 412],
    ["If-None-Match", '"2"', 200],
    ["If-Unmodified-Since", LONG_AGO, 412],
    ["If-Unmodified-Since", "Fri, 01 Jan 2100 00:00:00 GMT", 200],
    ["If-Unmodified-Since", "yesterday, or so", 200],
  ])("%s %s is answered %i", async (name, value, status) => {
    await remove("guarded.txt");
    const id = await save("guarded.txt", "one");
    const answer = await put("guarded.txt", "two", { [name]: value.replaceAll("<id>", id) });
    expect(answer.status).toBe(status);
    const refusal = { ok: false, error: "version_changed", version: 1 };
    if (status === 412) expect(answer.body).toMatchObject(refusal);
    expect((await get("/api/files/guarded.txt")).body).toBe(status === 412 ? "one" : "two");
  });

  it("refuses to create a file that should exist", async () => {
    const refusal = { error: "version_changed", version: null };
    expect(await put("not-there.txt", "x", { "If-Match": "*" })).toMatchObject({
      status: 412,
      body: refusal,
    });
  });
});

it("deleting by name moves the file to the trash, from which it can come back", async () => {
  const id = await save("goes.txt");
  const deleted = { ok: true, file_id: id, expires_at: expect.stringMatching(/\+00:00$/) };
  expect((await remove("goes.txt")).body).toEqual(deleted);
  expect((await get("/api/files/goes.txt")).status).toBe(404);
  expect((await remove("goes.txt")).status).toBe(404);
  await writer.send("POST", `/api/trash/${id}/restore`);
  expect((await get("/api/files/goes.txt")).body).toBe("x\n");
});
