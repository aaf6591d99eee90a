import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const { id: owner } = dana;

const send = dana.send.bind(dana);
const get = dana.readJson.bind(dana);
const put = (path: string) =>
  send("PUT", `/api/files/${path.split("/").map(encodeURIComponent).join("/")}`, "x\n");
const readStatus = async (path: string) => (await send("GET", `/api/files/${path}`)).status;
const createFolder = (fields: object) => send("POST", "/api/folders", fields);
async function given(...paths: string[]): Promise<void> {
  for (const path of paths) await web.given.path(owner, path);
}
const listPaths = (items: { path: string }[]) => items.map(({ path }) => path);
async function findFolder(name: string): Promise<string> {
  const { folders } = await get("/api/folders");
  return required(folders.find((folder: { name: string }) => folder.name === name)).id;
}
const NAME_TAKEN = { status: 409, body: { ok: false, error: "name_taken" } };

it("the file with a path is found, also below a folder; null for an absent or invalid path", async () => {
  await dana.saveFile("where/src/retry.py", "1\n", "2\n");
  const where = await findFolder("where");
  const find = async (query: Record<string, string>, visitor = dana) =>
    (await visitor.readJson(`/api/file?${new URLSearchParams(query)}`)).file;

  const file = await find({ path: "where/src/retry.py" });
  expect(file).toMatchObject({ file_name: "retry.py", version: 2, path: "where/src/retry.py" });
  expect(await find({ path: "retry.py", folder: "where/src" })).toEqual(file);
  expect(await find({ path: "src/retry.py", folder: where })).toEqual(file);
  for (const path of ["retry.py", "where/src/other.py", "where/src/", "", "../where/src/retry.py", "a\\b"])
    expect(await find({ path }), path).toBeNull();
  expect(await find({ path: "retry.py", folder: "nowhere" })).toBeNull();
  expect(await find({ path: "where/src/retry.py" }, await web.person())).toBeNull();
});

describe("folders by the API", () => {
  it("are created, listed, renamed and moved", async () => {
    const { status, body } = await createFolder({ name: "ספרייה" });
    expect([status, body]).toMatchObject([201, { ok: true, folder: { parent_id: null, path: "ספרייה" } }]);
    const parent_id = body.folder.id;
    const inner = (await createFolder({ name: "parsers", parent_id })).body.folder;
    expect(inner).toMatchObject({ parent_id, path: "ספרייה/parsers" });
    expect(listPaths((await get(`/api/folders?parent_id=${parent_id}`)).folders)).toEqual(["ספרייה/parsers"]);
    const patch = (fields: object) => send("PATCH", `/api/folders/${inner.id}`, fields);
    const moved = { parent_id: null, path: "Parsers" };
    expect((await patch({ parent_id: null, name: "Parsers" })).body.folder).toMatchObject(moved);
    expect(await patch({ parent_id: inner.id })).toMatchObject({
      status: 409,
      body: { ok: false, error: "folder_into_itself" },
    });
  });

  it("never have the path of a file", async () => {
    const folder = await web.given.folder(owner, "one-path");
    const { file_id } = (await put("plain-file")).body;
    expect(await createFolder({ name: "plain-file" })).toMatchObject(NAME_TAKEN);
    expect(await put("plain-file/inside/a.txt")).toMatchObject(NAME_TAKEN);
    expect(await send("PATCH", `/api/folders/${folder.id}`, { name: "plain-file" })).toMatchObject(
      NAME_TAKEN,
    );
    for (const name of ["one-path", "ONE-PATH"]) {
      expect((await put(name)).status).toBe(409);
      expect(await send("PATCH", `/api/file/${file_id}`, { file_name: name })).toMatchObject(NAME_TAKEN);
    }
    const inner = (await put("elsewhere/one-path")).body;
    const move = { file_ids: [inner.file_id], folder_id: null };
    expect(await send("POST", "/api/files/bulk-move", move)).toMatchObject({
      status: 409,
      body: { error: "name_taken" },
    });
    expect((await put("one-path/inner.txt")).status).toBe(201);
  });

  it("are made by saving at a path, and their files are read, changed and deleted by it", async () => {
    const file_id = await dana.saveFile("src/כלים/a b.py", "print(1)\n");
    const address = "src/%D7%9B%D7%9C%D7%99%D7%9D/a%20b.py";
    expect(await dana.read(`/api/files/${address}`)).toBe("print(1)\n");
    const { file } = await get(`/api/file/${file_id}`);
    expect(file).toMatchObject({ path: "src/כלים/a b.py", file_name: "a b.py" });
    expect(await get(`/api/files?folder=${file.folder_id}`)).toMatchObject({
      files: [{ id: file_id, folder_id: file.folder_id }],
      total: 1,
    });
    const moved = await send("PATCH", `/api/file/${file_id}`, { folder_id: null });
    expect(moved.body.file).toMatchObject({ path: "a b.py", folder_id: null, version: 1 });
    expect(await readStatus(address)).toBe(404);
    expect((await send("DELETE", "/api/files/a%20b.py")).body).toMatchObject({ ok: true, file_id });
  });

  it("come as a zip with their tree", async () => {
    const paths = ["a.py", "in/a.py", "in/manifest.json"];
    for (const path of paths) await dana.saveFile(`zipped/${path}`, `${path}\n`);
    const answer = await dana.ask(`/api/folders/${await findFolder("zipped")}/zip`);
    expect(answer.headers.get("Content-Disposition")).toContain("zipped-");
    const entries = Object.entries(unzipSync(Buffer.from(await answer.arrayBuffer())));
    const texts = entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]);
    expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(paths.map((path) => [path, `${path}\n`])));
  });

  it("go to the trash with their files and come back", async () => {
    await given("trashed/one.py", "trashed/in/two.py");
    const address = `/api/folders/${await findFolder("trashed")}`;
    const refused = { status: 409, body: { error: "folder_not_empty" } };
    expect(await send("DELETE", `${address}?if_empty=1`)).toMatchObject(refused);
    expect((await send("DELETE", address)).body).toMatchObject({ ok: true, files: 2 });
    expect(await readStatus("trashed/one.py")).toBe(404);
    const restored = { files: 2, folder: { path: "trashed" } };
    expect((await send("POST", `${address}/restore`)).body).toMatchObject(restored);
    expect(await readStatus("trashed/in/two.py")).toBe(200);
  });

  it("are listed by path with what is in them, and all below them", async () => {
    await given("tree/b.py", "tree/a.py", "tree/in/deeper/c.py");
    const shallow = await get("/api/tree?path=Tree");
    expect(listPaths(shallow.files)).toEqual(["tree/a.py", "tree/b.py"]);
    expect(listPaths(shallow.folders)).toEqual(["tree/in"]);
    const deep = await get("/api/tree?path=tree&deep=1");
    expect(deep).toMatchObject({ folder_id: shallow.folder_id, next_cursor: null });
    expect(listPaths(deep.folders)).toEqual(["tree/in", "tree/in/deeper"]);
    const last = deep.files.find(({ path }: { path: string }) => path === "tree/in/deeper/c.py");
    const etag = (await send("GET", "/api/files/tree/in/deeper/c.py")).headers.get("ETag");
    expect(last).toMatchObject({ version: 1, size_bytes: 2, etag });
    const all = listPaths((await get("/api/tree?deep=1")).files);
    expect(all).toEqual(expect.arrayContaining(["tree/a.py", "tree/in/deeper/c.py"]));
    expect(await get("/api/tree?path=tree/none")).toMatchObject({ code: "folder_not_found" });
    expect((await send("GET", "/api/tree?path=tree/../x")).status).toBe(400);
  });
});

it("a file is deleted only as the version that If-Match names", async () => {
  const remove = (version: number) =>
    send("DELETE", "/api/files/kept.py", undefined, { "If-Match": `"${version}"` });
  await dana.saveFile("kept.py", "one\n", "two\n");
  expect(await remove(1)).toMatchObject({ status: 412, body: { error: "version_changed", version: 2 } });
  expect(await readStatus("kept.py")).toBe(200);
  expect((await remove(2)).status).toBe(200);
  expect(await readStatus("kept.py")).toBe(404);
});
