import { describe, expect, it } from "vitest";
import { createToken } from "#db/accounts/tokens.server.ts";
import type { TokenScope } from "#domain/accounts/access-token.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
await web.visitor().logIn("70");

async function createCaller(scope: TokenScope) {
  const wish = { name: `read back ${scope}`, scope, lifetimeDays: 7 };
  const made = await createToken(web.db, newOwner("70"), wish, web.clock());
  if (isRefusal(made)) throw new Error(made.refused);
  return (path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) =>
    web.visitor().ask(path, { ...init, headers: { ...headers, Authorization: `Bearer ${made.secret}` } });
}

const read = await createCaller("read");
const write = await createCaller("write");
const put = (name: string, body: BodyInit, headers: Record<string, string> = {}) =>
  write(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body, headers });
const save = async (name: string, body: BodyInit): Promise<string> =>
  (await (await put(name, body)).json()).file_id;
const patch = (id: string, changes: unknown) =>
  write(`/api/file/${id}`, { method: "PATCH", body: JSON.stringify(changes) });
const countVersions = async (id: string) =>
  (await (await read(`/api/file/${id}/versions`)).json()).versions.length;

const TEXT = "שלום\r\n\tprint('🙂')\n\n  no newline at the end";

describe("a text that was saved", () => {
  it("is read back byte for byte with a read token, by its name and by its id", async () => {
    const id = await save("read me back 🙂.py", TEXT);
    for (const path of [
      `/api/files/${encodeURIComponent("read me back 🙂.py")}`,
      `/api/file/${id}/content`,
    ]) {
      const response = await read(path);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(TEXT))).toBe(true);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "content-length": String(Buffer.byteLength(TEXT)),
        "x-content-type-options": "nosniff",
        "x-file-id": id,
        "x-file-version": "1",
        etag: `"${id}.1"`,
        "last-modified": new Date(web.clock()).toUTCString(),
      });
    }
  });

  it("is not compressed, because its tag stands for these very bytes", async () => {
    const id = await save("long.txt", "a line\n".repeat(1_000));
    const plain = await read(`/api/file/${id}/content`, { headers: { "Accept-Encoding": "gzip" } });
    expect([plain.headers.get("Content-Encoding"), plain.headers.get("Content-Length")]).toEqual([
      null,
      "7000",
    ]);
    const json = await read(`/api/file/${id}?content=1`, { headers: { "Accept-Encoding": "gzip" } });
    expect(json.headers.get("Content-Encoding")).toBe("gzip");
  });

  it("has its headers alone for HEAD", async () => {
    const id = await save("head.txt", "12345");
    const response = await read("/api/files/head.txt", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect([response.headers.get("Content-Length"), response.headers.get("X-File-Id")]).toEqual(["5", id]);
  });

  it("is there in its older versions, too", async () => {
    const id = await save("older.txt", "one");
    await save("older.txt", "two!");
    const old = await read("/api/files/older.txt?version=1");
    expect([await old.text(), old.headers.get("X-File-Version"), old.headers.get("ETag")]).toEqual([
      "one",
      "1",
      `"${id}.1"`,
    ]);
    expect(await (await read(`/api/file/${id}/content`)).text()).toBe("two!");
    for (const version of ["3", "0", "x", "-1"])
      expect((await read(`/api/files/older.txt?version=${version}`)).status, version).toBe(404);
  });

  it("is not sent again where the caller has it", async () => {
    const id = await save("cached.txt", "cached");
    const first = await read("/api/files/cached.txt");
    const [etag, modified] = [
      required(first.headers.get("ETag")),
      required(first.headers.get("Last-Modified")),
    ];
    const long = "Thu, 01 Jan 1998 00:00:00 GMT";
    for (const [headers, status] of [
      [{ "If-None-Match": etag }, 304],
      [{ "If-None-Match": `"other", W/${etag}` }, 304],
      [{ "If-None-Match": "*" }, 304],
      [{ "If-None-Match": '"1"' }, 304],
      [{ "If-None-Match": '"2"' }, 200],
      [{ "If-Modified-Since": modified }, 304],
      [{ "If-Modified-Since": long }, 200],
      [{ "If-Modified-Since": "yesterday, or so" }, 200],
      [{ "If-None-Match": '"2"', "If-Modified-Since": modified }, 200],
    ] as [Record<string, string>, number][]) {
      const response = await read(`/api/file/${id}/content`, { headers });
      expect(response.status, JSON.stringify(headers)).toBe(status);
      expect(await response.text()).toBe(status === 304 ? "" : "cached");
      expect(response.headers.get("ETag")).toBe(etag);
    }
  });

  it("has another tag once it is deleted and made again under its name", async () => {
    await save("again.txt", "first life");
    const etag = required((await read("/api/files/again.txt")).headers.get("ETag"));
    await write("/api/files/again.txt", { method: "DELETE" });
    await save("again.txt", "second life");
    const response = await read("/api/files/again.txt", { headers: { "If-None-Match": etag } });
    expect([response.status, await response.text()]).toEqual([200, "second life"]);
    expect((await put("again.txt", "lost", { "If-Match": etag })).status).toBe(412);
  });
});

describe("a part of a text", () => {
  it.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=-99", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=8-99", 206, "89", "bytes 8-9/10"],
    ["bytes=0-1,4-5", 200, "0123456789", null],
    ["bytes=5-2", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
    ["bytes=-", 200, "0123456789", null],
  ])("%s is answered %i", async (range, status, text, place) => {
    const id = await save("digits.txt", "0123456789");
    const response = await read(`/api/file/${id}/content`, { headers: { Range: range } });
    expect([response.status, await response.text(), response.headers.get("Content-Range")]).toEqual([
      status,
      text,
      place,
    ]);
    expect(response.headers.get("Content-Length")).toBe(String(text.length));
  });

  it.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("%s is not there", async (range) => {
    const id = await save("digits.txt", "0123456789");
    const response = await read(`/api/file/${id}/content`, { headers: { Range: range } });
    expect([response.status, response.headers.get("Content-Range")]).toEqual([416, "bytes */10"]);
    expect(await response.json()).toMatchObject({ ok: false, error: "range_not_satisfiable" });
  });

  it("is sent whole where the text is another than the caller began with", async () => {
    const id = await save("digits.txt", "0123456789");
    const ask = (tag: string) =>
      read(`/api/file/${id}/content`, { headers: { Range: "bytes=0-1", "If-Range": tag } });
    expect((await ask(`"${id}.1"`)).status).toBe(206);
    expect((await ask(`"${id}.9"`)).status).toBe(200);
  });

  it("of nothing is not there", async () => {
    const id = await save("empty.txt", "");
    expect((await read(`/api/file/${id}/content`, { headers: { Range: "bytes=0-" } })).status).toBe(416);
    expect((await read(`/api/file/${id}/content`)).headers.get("Content-Length")).toBe("0");
  });
});

describe("what is known about a file", () => {
  it("is one answer, with the text where it is asked for", async () => {
    const id = await save("known.py", "print(1)\n");
    const { file } = await (await read(`/api/file/${id}`)).json();
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
    expect((await (await read(`/api/file/${id}?content=1`)).json()).file).toEqual({
      ...file,
      content: "print(1)\n",
    });
  });

  it("changes without a new version, and the text stays", async () => {
    const id = await save("before.txt", "# x\n");
    const changes = { file_name: "after.md", description: " why ", tags: ["#a", "b", "a"] };
    const response = await patch(id, changes);
    expect(response.status).toBe(200);
    expect((await response.json()).file).toMatchObject({
      file_name: "after.md",
      path: "after.md",
      language: "markdown",
      description: "why",
      tags: ["a", "b"],
      version: 1,
    });
    expect(await countVersions(id)).toBe(1);
    expect(await (await read("/api/files/after.md")).text()).toBe("# x\n");
    expect((await read("/api/files/before.txt")).status).toBe(404);
    expect((await (await patch(id, { tags: [], folder_id: null })).json()).file).toMatchObject({
      tags: [],
      description: "why",
    });
  });

  it("keeps a language that was chosen when the name changes", async () => {
    const id = await save("chosen.txt", "x\n");
    await patch(id, { language: "yaml" });
    expect((await (await patch(id, { file_name: "chosen.py" })).json()).file.language).toBe("yaml");
  });

  it.each([
    [
      "a name of another file",
      { file_name: "taken.txt" },
      409,
      { error: "name_taken", file_name: "taken.txt" },
    ],
    ["a path", { file_name: "a/b" }, 400, { error: "Invalid file name" }],
    ["a folder that is not there", { folder_id: "0".repeat(24) }, 404, { error: "folder_not_found" }],
    ["an unknown language", { language: "klingon" }, 400, { error: "unknown_language" }],
    ["a tag of two", { tags: ["a,b"] }, 400, { error: "invalid_tags" }],
    ["too long a description", { description: "x".repeat(501) }, 400, { error: "description_too_long" }],
    ["an unknown field", { name: "x.txt" }, 400, { error: "invalid_payload" }],
  ])("refuses %s, and nothing changes", async (_, changes, status, body) => {
    await save("taken.txt", "other\n");
    const id = await save("refused.txt", "x\n");
    const before = await (await read(`/api/file/${id}`)).json();
    const response = await patch(id, { description: "new", ...changes });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ ok: false, ...body });
    expect(await (await read(`/api/file/${id}`)).json()).toEqual(before);
  });

  it("lists its versions page by page, none twice and none left out", async () => {
    const texts = ["1", "22", "333", "4444", "55555"];
    for (const text of texts) await save("listed.txt", text);
    const id = (await (await read("/api/files?q=listed.txt")).json()).files[0].id;
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const page = await (await read(`/api/file/${id}/versions?limit=2${query}`)).json();
      sizes.push(...page.versions.map(({ size_bytes }: { size_bytes: number }) => size_bytes));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(sizes).toEqual([5, 4, 3, 2, 1]);
    expect((await read(`/api/file/${id}/versions?cursor=zzz`)).status).toBe(400);
  });
});

describe("saving only if nothing changed", () => {
  it("makes no version of a text that is there already", async () => {
    const id = await save("same.txt", "same\n");
    const response = await put("same.txt", "same\n");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: true, file_id: id, version: 1, unchanged: true });
    const changed = await put("same.txt", "other\n");
    expect(await changed.json()).toMatchObject({ version: 2 });
    expect(await countVersions(id)).toBe(2);
  });

  it.each([
    ["If-Match", (id: string) => `"${id}.1"`, 200],
    ["If-Match", () => '"1"', 200],
    ["If-Match", () => "*", 200],
    ["If-Match", (id: string) => `"${id}.7", "${id}.1"`, 200],
    ["If-Match", (id: string) => `W/"${id}.1"`, 412],
    ["If-Match", () => '"2"', 412],
    ["If-Match", () => '"nonsense"', 412],
    ["If-None-Match", () => "*", 412],
    ["If-None-Match", () => '"1"', 412],
    ["If-None-Match", () => '"2"', 200],
    ["If-Unmodified-Since", () => "Thu, 01 Jan 1998 00:00:00 GMT", 412],
    ["If-Unmodified-Since", () => "Fri, 01 Jan 2100 00:00:00 GMT", 200],
    ["If-Unmodified-Since", () => "yesterday, or so", 200],
  ])("%s %s is answered %i", async (name, makeTag, status) => {
    await write("/api/files/guarded.txt", { method: "DELETE" });
    const id = await save("guarded.txt", "one");
    const response = await put("guarded.txt", "two", { [name]: makeTag(id) });
    expect(response.status).toBe(status);
    const answer = await response.json();
    if (status === 412) expect(answer).toMatchObject({ ok: false, error: "version_changed", version: 1 });
    expect(await (await read("/api/files/guarded.txt")).text()).toBe(status === 412 ? "one" : "two");
  });

  it("begins a file that is not there, or refuses to", async () => {
    const missing = await put("not-there.txt", "x", { "If-Match": "*" });
    expect(missing.status).toBe(412);
    expect(await missing.json()).toMatchObject({ error: "version_changed", version: null });
    expect((await put("not-there.txt", "x", { "If-None-Match": "*" })).status).toBe(201);
  });

  it("lets one of 16 writers win, version after version", async () => {
    await save("raced.txt", "begin");
    for (let round = 1; round <= 2; round += 1) {
      const etag = required((await read("/api/files/raced.txt")).headers.get("ETag"));
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, writer) =>
          put("raced.txt", `${round} by ${writer}`, { "If-Match": etag }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(15);
      const winner = statuses.indexOf(200);
      expect(await (await read("/api/files/raced.txt")).text()).toBe(`${round} by ${winner}`);
    }
    const id = required((await read("/api/files/raced.txt")).headers.get("X-File-Id"));
    expect(await countVersions(id)).toBe(3);
  });

  it("lets one of 16 begin a file", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, writer) => put("begun.txt", `by ${writer}`, { "If-None-Match": "*" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(15);
  });
});

describe("deleting by name", () => {
  it("moves the file to the trash, from which it can come back", async () => {
    const id = await save("goes.txt", "x\n");
    const response = await write("/api/files/goes.txt", { method: "DELETE" });
    expect(await response.json()).toEqual({
      ok: true,
      file_id: id,
      expires_at: expect.stringMatching(/\+00:00$/),
    });
    expect((await read("/api/files/goes.txt")).status).toBe(404);
    expect((await write("/api/files/goes.txt", { method: "DELETE" })).status).toBe(404);
    await write(`/api/trash/${id}/restore`, { method: "POST" });
    expect(await (await read("/api/files/goes.txt")).text()).toBe("x\n");
  });
});

describe("a path that is known", () => {
  it.each([
    ["GET", "/api/files/bulk-tag", "POST", "success"],
    ["PUT", "/api/files/create-zip", "POST", "success"],
    ["POST", "/api/sticky-notes/search", "GET, HEAD", "ok"],
    ["POST", "/api/files/some-name.txt", "GET, HEAD, PUT, DELETE", "ok"],
    ["DELETE", "/api/code/run", "POST", "success"],
  ])("answers %s %s with 405, what it allows, and its flag", async (method, path, allow, flag) => {
    const response = await write(path, { method, body: method === "GET" ? undefined : "{}" });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({ [flag]: false, code: "method_not_allowed" });
  });
});
