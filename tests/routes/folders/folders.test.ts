import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = web.visitor();
await dana.logIn("71");

async function send(method: string, path: string, body?: unknown) {
  const answer = await dana.ask(path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}
const put = (path: string, body = "x\n") =>
  dana.ask(`/api/files/${path.split("/").map(encodeURIComponent).join("/")}`, { method: "PUT", body });
const create = async (name: string, parent_id?: string) =>
  (await send("POST", "/api/folders", { name, parent_id })).body.folder;

it("PUT makes no folder where a file has its name", async () => {
  expect((await put("both")).status).toBe(201);
  const refused = await put("both/inside/a.txt");
  expect([refused.status, (await refused.json()).error]).toEqual([409, "name_taken"]);
  expect((await dana.ask("/api/files/both")).status).toBe(200);
});

it("the file that has a path is found, below a folder too; null where there is none or can be none", async () => {
  await put("where/src/retry.py", "1\n");
  await put("where/src/retry.py", "2\n");
  const [where] = (await send("GET", "/api/folders")).body.folders.filter(
    ({ name }: { name: string }) => name === "where",
  );
  const find = async (query: Record<string, string>) =>
    (await send("GET", `/api/file?${new URLSearchParams(query)}`)).body.file;

  const file = await find({ path: "where/src/retry.py" });
  expect(file).toMatchObject({ file_name: "retry.py", version: 2, path: "where/src/retry.py" });
  expect(await find({ path: "retry.py", folder: "where/src" })).toEqual(file);
  expect(await find({ path: "src/retry.py", folder: where.id })).toEqual(file);
  for (const path of ["retry.py", "where/src/other.py", "where/src/", "", "../where/src/retry.py", "a\\b"])
    expect(await find({ path }), path).toBeNull();
  expect(await find({ path: "retry.py", folder: "nowhere" })).toBeNull();

  const other = web.visitor();
  await other.logIn("72");
  expect(await (await other.ask("/api/file?path=where/src/retry.py")).json()).toEqual({
    ok: true,
    file: null,
  });
});

describe("folders by the API", () => {
  it("are created, listed, renamed and moved", async () => {
    const made = await send("POST", "/api/folders", { name: "ספרייה" });
    expect(made).toMatchObject({
      status: 201,
      body: { ok: true, folder: { parent_id: null, path: "ספרייה" } },
    });
    const inner = await create("parsers", made.body.folder.id);
    expect(inner).toMatchObject({ parent_id: made.body.folder.id, path: "ספרייה/parsers" });
    const listed = await send("GET", `/api/folders?parent_id=${made.body.folder.id}`);
    expect(listed.body.folders.map(({ name }: { name: string }) => name)).toEqual(["parsers"]);
    const moved = await send("PATCH", `/api/folders/${inner.id}`, { parent_id: null, name: "Parsers" });
    expect(moved.body.folder).toMatchObject({ parent_id: null, path: "Parsers" });
    expect(await send("PATCH", `/api/folders/${inner.id}`, { parent_id: inner.id })).toMatchObject({
      status: 409,
      body: { ok: false, error: "folder_into_itself" },
    });
  });

  it("refuse bad names, taken names and folders that are not there", async () => {
    await create("taken");
    for (const name of ["", ".", "..", "a/b", "a\\b", "x".repeat(256), "a\u0000b", 7])
      expect((await send("POST", "/api/folders", { name })).status, String(name)).toBe(400);
    expect(await send("POST", "/api/folders", { name: "TAKEN" })).toMatchObject({
      status: 409,
      body: { error: "name_taken" },
    });
    const nowhere = "0".repeat(24);
    expect((await send("POST", "/api/folders", { name: "x", parent_id: nowhere })).status).toBe(404);
    expect((await send("GET", `/api/folders?parent_id=${nowhere}`)).status).toBe(404);
    expect((await send("GET", "/api/folders?parent_id=nothing")).status).toBe(400);
    expect((await send("DELETE", `/api/folders/${nowhere}`)).status).toBe(404);
  });

  it("never have the path of a file", async () => {
    const folder = await create("one-path");
    const { file_id } = await (await put("plain-file")).json();
    const taken = { status: 409, body: { error: "name_taken" } };
    expect(await send("POST", "/api/folders", { name: "plain-file" })).toMatchObject(taken);
    expect(await send("PATCH", `/api/folders/${folder.id}`, { name: "plain-file" })).toMatchObject(taken);
    for (const name of ["one-path", "ONE-PATH"]) {
      expect((await put(name)).status).toBe(409);
      expect(await send("PATCH", `/api/file/${file_id}`, { file_name: name })).toMatchObject(taken);
    }
    const inner = await (await put("elsewhere/one-path")).json();
    const move = { file_ids: [inner.file_id], folder_id: null };
    expect(await send("POST", "/api/files/bulk-move", move)).toMatchObject(taken);
    expect((await put("one-path/inner.txt")).status).toBe(201);
  });

  it("are made by saving at a path, and their files are read, changed and deleted by it", async () => {
    const saved = await put("src/כלים/a b.py", "print(1)\n");
    expect(saved.status).toBe(201);
    const { file_id } = await saved.json();
    expect(await (await dana.ask("/api/files/src/%D7%9B%D7%9C%D7%99%D7%9D/a%20b.py")).text()).toBe(
      "print(1)\n",
    );
    const { file } = (await send("GET", `/api/file/${file_id}`)).body;
    expect(file).toMatchObject({ path: "src/כלים/a b.py", file_name: "a b.py" });
    const listed = (await send("GET", `/api/files?folder=${file.folder_id}`)).body;
    expect(listed.files).toMatchObject([{ id: file_id, folder_id: file.folder_id }]);
    expect(listed.total).toBe(1);
    const moved = await send("PATCH", `/api/file/${file_id}`, { folder_id: null });
    expect(moved.body.file).toMatchObject({ path: "a b.py", folder_id: null, version: 1 });
    expect((await dana.ask("/api/files/src/%D7%9B%D7%9C%D7%99%D7%9D/a%20b.py")).status).toBe(404);
    expect((await send("DELETE", "/api/files/a%20b.py")).body).toMatchObject({ ok: true, file_id });
  });

  it("refuse paths with empty or forbidden names, and paths that are too deep", async () => {
    const tooDeep = `${Array.from({ length: 17 }, () => "d").join("/")}/f.py`;
    for (const [path, status] of [
      ["a//b.py", 400],
      ["a/b.py/", 400],
      [tooDeep, 409],
    ] as const)
      expect((await dana.ask(`/api/files/${path}`, { method: "PUT", body: "x" })).status, path).toBe(status);
  });

  it("come as a zip with their tree", async () => {
    for (const path of ["zipped/a.py", "zipped/in/a.py", "zipped/in/manifest.json"])
      await put(path, `${path}\n`);
    const { folders } = (await send("GET", "/api/folders")).body;
    const { id } = folders.find(({ name }: { name: string }) => name === "zipped");
    const answer = await dana.ask(`/api/folders/${id}/zip`);
    expect(answer.headers.get("Content-Disposition")).toContain("zipped-");
    const entries = Object.entries(unzipSync(Buffer.from(await answer.arrayBuffer())));
    expect(Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))).toEqual(
      {
        "a.py": "zipped/a.py\n",
        "in/a.py": "zipped/in/a.py\n",
        "in/manifest.json": "zipped/in/manifest.json\n",
      },
    );
  });

  it("go to the trash with their files and come back", async () => {
    await put("trashed/one.py");
    await put("trashed/in/two.py");
    const { folders } = (await send("GET", "/api/folders")).body;
    const { id } = folders.find(({ name }: { name: string }) => name === "trashed");
    expect(await send("DELETE", `/api/folders/${id}?if_empty=1`)).toMatchObject({
      status: 409,
      body: { error: "folder_not_empty" },
    });
    expect((await send("DELETE", `/api/folders/${id}`)).body).toMatchObject({ ok: true, files: 2 });
    expect((await dana.ask("/api/files/trashed/one.py")).status).toBe(404);
    expect((await send("POST", `/api/folders/${id}/restore`)).body).toMatchObject({
      files: 2,
      folder: { path: "trashed" },
    });
    expect((await dana.ask("/api/files/trashed/in/two.py")).status).toBe(200);
  });

  it("are listed by path with what is in them, and all below them", async () => {
    for (const path of ["tree/b.py", "tree/a.py", "tree/in/deeper/c.py"]) await put(path);
    const shallow = (await send("GET", "/api/tree?path=Tree")).body;
    expect(shallow.files.map(({ path }: { path: string }) => path)).toEqual(["tree/a.py", "tree/b.py"]);
    expect(shallow.folders.map(({ path }: { path: string }) => path)).toEqual(["tree/in"]);
    const deep = (await send("GET", "/api/tree?path=tree&deep=1")).body;
    expect(deep).toMatchObject({ folder_id: shallow.folder_id, next_cursor: null });
    expect(deep.folders.map(({ path }: { path: string }) => path)).toEqual(["tree/in", "tree/in/deeper"]);
    const last = deep.files.find(({ path }: { path: string }) => path === "tree/in/deeper/c.py");
    const text = await dana.ask("/api/files/tree/in/deeper/c.py");
    expect(last).toMatchObject({ version: 1, size_bytes: 2, etag: text.headers.get("ETag") });
    const all = (await send("GET", "/api/tree?deep=1")).body.files.map(({ path }: { path: string }) => path);
    expect(all).toEqual(expect.arrayContaining(["tree/a.py", "tree/in/deeper/c.py"]));
    expect((await send("GET", "/api/tree?path=tree/none")).body).toMatchObject({ code: "folder_not_found" });
    expect((await send("GET", "/api/tree?path=tree/../x")).status).toBe(400);
    expect((await send("GET", "/api/tree?cursor=x")).body).toMatchObject({ code: "invalid_cursor" });
  });
});

describe("a file", () => {
  it("is deleted only as the version that If-Match names", async () => {
    await put("kept.py", "one\n");
    const etag = (await dana.ask("/api/files/kept.py")).headers.get("ETag") ?? "";
    await put("kept.py", "two\n");
    const deletion = (tag: string) =>
      dana.ask("/api/files/kept.py", { method: "DELETE", headers: { "If-Match": tag } });
    const refused = await deletion(etag);
    expect([refused.status, await refused.json()]).toMatchObject([
      412,
      { error: "version_changed", version: 2 },
    ]);
    expect((await dana.ask("/api/files/kept.py")).status).toBe(200);
    const now = (await dana.ask("/api/files/kept.py")).headers.get("ETag") ?? "";
    expect((await deletion(now)).status).toBe(200);
    expect((await dana.ask("/api/files/kept.py")).status).toBe(404);
  });
});
