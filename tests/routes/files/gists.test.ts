import { beforeEach, describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { openCodeHost, TOKEN } from "#tests/support/repos/code-host.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const host = await openCodeHost();
const web = await openTestWeb({
  CODEHOST_ALLOW_LOCAL: "1",
  CODEHOST_API_URL: host.url,
  CODEHOST_TOKEN: TOKEN,
});
const dana = await web.person();
const admin = await web.person(ADMIN_ID);

type GistFile = { filename: string; content?: string; truncated?: boolean };
const textFile = (filename: string, content: string) => ({ filename, content, truncated: false });
const gist = (description: string | null, ...files: GistFile[]) => ({
  id: "abc123",
  public: false,
  description,
  files: Object.fromEntries(files.map((file) => [file.filename, file])),
});

const send = async (body: unknown, visitor = dana) => {
  const answer = await visitor.send("POST", "/api/gists", body);
  return [answer.status, answer.body];
};
async function read(path: string) {
  const address = `/api/files/${path.split("/").map(encodeURIComponent).join("/")}`;
  const { status, body } = await dana.send("GET", address);
  return [status, body];
}

beforeEach(() => {
  host.mood = null;
  host.asked.length = 0;
});

describe("importing gists", () => {
  it("makes a folder of each, named by its description and numbered when taken, with the description on the files", async () => {
    const two = gist("Sort / search\nnotes", textFile("a.py", "a = 1\n"), textFile("b.md", "# b\n"));

    const edited = gist(two.description, textFile("a.py", "a = 2\n"), textFile("b.md", "# b\n"));

    const first = await send({ gist: two });
    const [, again] = await send({ gist: edited });

    const id = expect.any(String);
    const folders = [{ id, name: "Sort search" }];
    expect(first).toEqual([200, { ok: true, folders, files: 2, unchanged: 0, skipped: [] }]);
    expect(again.folders).toEqual([{ id, name: "Sort search (2)" }]);
    expect(await read("Sort search/a.py")).toEqual([200, "a = 1\n"]);
    expect(await read("Sort search (2)/b.md")).toEqual([200, "# b\n"]);
    const file = await web.db.files.findOne({ user_id: dana.id, file_name: "a.py" });
    expect(file?.description).toBe("Sort / search\nnotes");
  });

  it("leaves what an earlier import of the same gist saved as it is", async () => {
    const two = gist("Twice", textFile("c.py", "c = 1\n"), textFile("d.md", "# d\n"));
    const single = gist(null, textFile("single.txt", "1\n"));

    const [, first] = await send({ gist: [two, single] });
    const [, again] = await send({ gist: [two, single] });

    expect(again).toEqual({ ...first, files: 0, unchanged: 3 });
    expect((await read("Twice (2)/c.py"))[0]).toBe(404);
    expect((await read("Gists/single (2).txt"))[0]).toBe(404);
  });

  it("keeps those of one file in the folder Gists, and overwrites nothing", async () => {
    const first = gist(null, textFile("one.txt", "1\n"));

    await send({ gist: first });
    const [, second] = await send({
      gist: [gist(null, textFile("one.txt", "2\n")), gist("", textFile("x.sh", "ls\n"), textFile("y", "y"))],
    });

    expect(await read("Gists/one.txt")).toEqual([200, "1\n"]);
    expect(await read("Gists/one (2).txt")).toEqual([200, "2\n"]);
    expect(second.folders.map(({ name }: { name: string }) => name)).toEqual(["Gists", "x.sh"]);
    expect(second.files).toBe(3);
  });

  it("numbers a file whose name a folder has, and a folder whose name a file has", async () => {
    for (const path of ["Gists/taken.py/inside.txt", "Filed"]) await dana.saveFile(path, "mine\n");

    const [, single] = await send({ gist: gist(null, textFile("taken.py", "1\n")) });
    const [, several] = await send({ gist: gist("Filed", textFile("x", "1\n"), textFile("y", "2\n")) });

    expect(single).toMatchObject({ files: 1, skipped: [] });
    expect(await read("Gists/taken (2).py")).toEqual([200, "1\n"]);
    expect(await read("Gists/taken.py/inside.txt")).toEqual([200, "mine\n"]);
    expect(several).toMatchObject({ folders: [{ name: "Filed (2)" }], files: 2, skipped: [] });
    expect(await read("Filed")).toEqual([200, "mine\n"]);
  });

  it("names what it leaves out, and why", async () => {
    const partial = gist(
      "Partial",
      { ...textFile("large.csv", "1,2"), truncated: true },
      { filename: "listed.py" },
      textFile("bad\u0000name", "x"),
      textFile("binary.bin", "\u0000"),
      textFile("kept.py", "k\n"),
    );
    const [status, saved] = await send({ gist: [partial, gist("Empty", { filename: "none.py" })] });

    expect([status, saved.files]).toEqual([200, 1]);
    expect(saved.skipped).toEqual([
      { name: "large.csv", why: "truncated" },
      { name: "listed.py", why: "no_content" },
      { name: "bad\u0000name", why: "invalid_file_name" },
      { name: "binary.bin", why: "binary_content" },
      { name: "none.py", why: "no_content" },
    ]);
    expect(saved.folders.map(({ name }: { name: string }) => name)).toEqual(["Partial"]);
  });
});

describe("importing a gist by its address", () => {
  const address = () => `${host.url}/gist/dana/0a1b2c`;
  const answerGist = () => {
    host.mood = ({ path }) =>
      path === "/gists/0a1b2c"
        ? { status: 200, json: gist("Fetched", textFile("f.py", "f\n"), textFile("g.py", "g\n")) }
        : { status: 404, json: {} };
  };

  it("asks the code host's API, with the server's token for administrators alone", async () => {
    answerGist();

    expect(await send({ url: address() })).toMatchObject([200, { files: 2 }]);
    expect(await send({ url: address() }, admin)).toMatchObject([200, { files: 2 }]);

    expect(host.asked.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/gists/0a1b2c", ""],
      ["/gists/0a1b2c", `Bearer ${TOKEN}`],
    ]);
    expect(await read("Fetched/f.py")).toEqual([200, "f\n"]);
  });

  it("asks no other host, and none for a script", async () => {
    answerGist();
    for (const url of [
      "https://gist.github.com/a/0a1b2c",
      `${host.url}/0a1b2c`,
      `${host.url}/gist/a/..`,
      "x",
    ])
      expect([url, (await send({ url }))[1].error]).toEqual([url, "invalid_gist_url"]);
    const script = await web.script(dana.id);
    const refused = [403, { error: "codehost_session_required" }];
    expect(await send({ url: address() }, script)).toMatchObject(refused);
    expect(host.asked).toEqual([]);
  });

  it("says that the gist does not exist", async () => {
    answerGist();
    expect(await send({ url: `${host.url}/gist/dana/ffff` })).toMatchObject([
      404,
      { error: "gist_not_found" },
    ]);
  });
});

describe("the page", () => {
  it("imports what is pasted and says what was left out", async () => {
    const pasted = JSON.stringify(gist("Pasted", textFile("p.py", "p\n"), { filename: "q.py" }));

    const { html } = await dana.press("/upload/gist", { gist: pasted, url: "" });

    expect(html).toContain("1 file imported");
    expect(html).toMatch(/q\.py<\/bdi>[^a-z]*The JSON has no text/);
    const folder = required(/href="(\/files\?folder=[0-9a-f]{24})"><bdi>Pasted/.exec(html)?.[1]);
    expect(await dana.read(folder)).toContain("p.py");
  });

  it("keeps the typed text of a refusal", async () => {
    const { status, html } = await dana.press("/upload/gist", { gist: '{"a": 1}', url: "" });
    expect(status).toBe(400);
    expect(html).toMatch(/role="alert"/);
    expect(html).toContain("{&quot;a&quot;: 1}");
    const long = { gist: "kept text", url: `https://gist.example/${"a".repeat(500)}` };
    expect((await dana.press("/upload/gist", long)).html).toContain("kept text");
  });
});
