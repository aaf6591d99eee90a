import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { sendRaw } from "#tests/support/raw-requests.ts";
import { type FormValues, openTestWeb, refusal, toForm } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();

const put = (name: string, body?: unknown) =>
  dana.send("PUT", `/api/files/${encodeURIComponent(name)}`, body);
const countFiles = () => web.db.files.countDocuments({ user_id: dana.id });
const makeFile = (name: string, ...content: BlobPart[]) => new File(content, name);
const listNames = (files: { file_name: string }[]) => files.map(({ file_name }) => file_name);

describe("saving by PUT", () => {
  it("answers 201 for a new file and 200 for its next version", async () => {
    const [first, second] = [await put("main.py", "print(1)\n"), await put("main.py", "print(2)\n")];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(first.body).toEqual({
      ok: true,
      file_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      file_name: "main.py",
      version: 1,
      url: `/file/${first.body.file_id}`,
    });
    expect(second.body).toMatchObject({ file_id: first.body.file_id, version: 2 });
  });

  it.each(["a/../b.py", "a/%2e%2E/b.py", "./b.py", "a/.%2e", "a\\..\\b.py"])(
    "refuses a path with dots as it was sent: %s",
    async (path) => {
      const headers = { Cookie: dana.cookieHeader };
      const sent = await sendRaw(web.url, { method: "PUT", path: `/api/files/${path}`, headers, body: "x" });
      expect(sent).toMatchObject({ status: 400, body: expect.stringContaining('"code":"path_with_dots"') });
      expect((await dana.send("GET", "/api/files/b.py")).status).toBe(404);
    },
  );

  it.each(["a%0Ab.py", "x%0D/y.py", "a%E2%80%A8b.py"])(
    "refuses a path with line breaks: %s",
    async (path) => {
      const { status, body } = await dana.send("PUT", `/api/files/${path}`, "x");
      expect([status, body.code]).toEqual([400, "invalid_file_name"]);
    },
  );

  it("accepts 2 MiB and refuses one unannounced byte more, with nothing cut", async () => {
    const most = "a".repeat(2 * 1024 * 1024);
    expect(await dana.read(`/download/${await dana.saveFile("most.txt", most)}`)).toBe(most);

    const body = new Blob([most, "a"]).stream();
    const unannounced = { method: "PUT", body, duplex: "half" } as RequestInit;
    const refused = await dana.ask("/api/files/more.txt", unannounced);
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: "payload_too_large", max: 2 * 1024 * 1024 });
    expect((await dana.send("GET", "/api/files/more.txt")).status).toBe(404);
  });
});

describe("the upload form", () => {
  it("saves several files and leads to the list", async () => {
    const files = [makeFile("one.go", "package main\n"), makeFile("שתיים.txt", "ב\n")];
    const { status, location } = await dana.press("/upload", { tags: "x, y", files });
    expect([status, location]).toEqual([303, "/files"]);
    const page = await dana.read("/files");
    expect(page).toContain("Saved 2 files");
    const created = /class="notice .*?<\/form>/s.exec(page)?.[0].match(/name="file_ids"/g);
    expect(created).toHaveLength(2);
    const listed = (await dana.readJson("/api/files?limit=2")).files;
    expect(listNames(listed).toSorted()).toEqual(["one.go", "שתיים.txt"]);
    for (const { tags } of listed) expect(tags).toEqual(["x", "y"]);
  });

  it("keeps a pasted text without the line ends browsers add, and says so once", async () => {
    const pasted = { file_name: "pasted.js", text: "a\r\nb\r\n", language: "typescript" };
    const { status, location } = await dana.press("/upload", pasted);
    const path = required(location);
    expect(status).toBe(303);
    expect(await dana.read(path.replace("/file/", "/download/"))).toBe("a\nb\n");
    const html = await dana.read(path);
    expect(html).toContain("Saved");
    expect(html).toContain("TypeScript");
    expect(await dana.read(path)).not.toContain("Saved");
  });

  it("makes the folders of a typed path, below the chosen one", async () => {
    const eva = await web.person();
    const upload = (file_name: string, more: FormValues = {}) =>
      eva.press("/upload", { file_name, text: "1\n", ...more });
    expect((await upload("tools/first.py")).location).toMatch(/^\/file\/[0-9a-f]{24}$/);
    await upload("in/second.py", { folder: "tools" });
    for (const path of ["tools/first.py", "tools/in/second.py"])
      expect((await eva.send("GET", `/api/files/${path}`)).status, path).toBe(200);
    for (const [path, words] of [
      [`in/${"x".repeat(256)}`, "Use up to 255 ordinary characters for the file name, and for each folder"],
      ["a//b.py", "have two in a row"],
    ] as const)
      expect(await upload(path)).toMatchObject({ status: 400, html: expect.stringContaining(words) });
  });

  const NUMBERS = Array.from({ length: 21 }, (_, i) => i);

  it.each([
    ["nothing was chosen", { file_name: "", text: "", files: makeFile("") }, 400, "no_files"],
    ["every file is binary", { file_name: "", files: [makeFile("b", "\0")] }, 415, "binary_content"],
    ["there are too many tags", { text: "x", tags: NUMBERS.join() }, 400, "invalid_tags"],
    ["it is no form", "{}", 400, "invalid_payload"],
  ])("is refused whole when %s", async (_, fields, status, code) => {
    const before = await countFiles();
    const body = typeof fields === "string" ? fields : toForm({ file_name: "a", ...(fields as FormValues) });
    expect(await dana.send("POST", "/upload", body)).toMatchObject({ status, body: { code } });
    expect(await countFiles()).toBe(before);
  });

  it("saves what it can of several files, and says why for each other one", async () => {
    const eva = await web.person();
    const good = Array.from({ length: 5 }, (_, n) => makeFile(`${n}.txt`, "x\n"));
    const files = [...good, makeFile("b.bin", "\0"), makeFile("c\\d.txt", "x")];

    const { status, html } = await eva.press("/upload", { files });

    expect(status).toBe(200);
    for (const words of [
      "Saved 5 files",
      '<bdi dir="ltr">b.bin</bdi>',
      "looks like a binary file",
      "c\\d.txt",
    ])
      expect(html).toContain(words);
    const names = listNames((await eva.readJson("/api/files")).files);
    expect(names.toSorted()).toEqual(good.map(({ name }) => name));
    expect(await eva.send("POST", "/upload", toForm({ files }))).toMatchObject({
      status: 201,
      body: {
        left: [{ file_name: "b.bin", code: "binary_content" }, { file_name: "c\\d.txt" }],
      },
    });
  });

  it("answers a script in JSON", async () => {
    const form = toForm({ files: makeFile("script.sh", "ls\n") });
    const body = { ok: true, files: [{ file_name: "script.sh", version: 1 }] };
    expect(await dana.send("POST", "/upload", form)).toMatchObject({ status: 201, body });
  });
});

describe("the list", () => {
  it("shows twenty per page, newest first, each with name, language and time, and a link to the next page", async () => {
    const tamar = await web.person();
    const noon = web.clock();
    for (let i = 0; i < 25; i += 1)
      await web.given.saved(
        tamar.id,
        { file_name: `n${i}.py`, body: "x" },
        new Date(noon.getTime() + i * 1000),
      );
    const first = await tamar.read("/files");
    const shown = (html: string) => [...new Set(html.match(/n\d+\.py/g))];
    expect(shown(first)).toEqual(Array.from({ length: 20 }, (_, i) => `n${24 - i}.py`));
    expect(first).toContain("Python");
    expect(first).toContain('dateTime="2037-11-14T12:00:24.000+00:00"');
    expect(first.match(/href="\/file\/[0-9a-f]{24}"/g)?.length).toBeGreaterThanOrEqual(20);
    const next = required(/href="(\/files\?[^"]*cursor=[^"]*)"/.exec(first)?.[1]).replaceAll("&amp;", "&");
    expect(shown(await tamar.read(next))).toEqual(["n4.py", "n3.py", "n2.py", "n1.py", "n0.py"]);

    const query = "files?limit=10&sort=created_at_asc&lang=PYTHON";
    const api = await tamar.readJson(`/api/${query}`);
    expect(api).toMatchObject({ ok: true, total: 25, next_cursor: expect.any(String) });
    const created_at = "2037-11-14T12:00:00.000+00:00";
    expect(api.files[0]).toMatchObject({ file_name: "n0.py", language: "python", version: 1, created_at });
    expect(await tamar.readJson(`/${query}`)).toEqual(api);
  });

  it.each(["/files?cursor=bad", "/files?q=mail&cursor=bad", "/trash?cursor=bad"])(
    "answers %s with 400, and a navigation with the first page and a notice",
    async (path) => {
      expect(await dana.send("GET", path)).toMatchObject(refusal(400, "invalid_cursor"));
      const { status, html } = await dana.show(path);
      expect([status, html]).toEqual([200, expect.stringContaining("That page link is broken")]);
    },
  );
});

describe("a file", () => {
  it("is shown highlighted, line by line, with everything in it escaped", async () => {
    const text = 'x = """<script>alert(1)</script>\n</code>"""\nprint(x)\n';
    const html = await dana.read(`/file/${await dana.saveFile("danger.py", text)}`);
    for (const fragment of ["danger.py", "&lt;script&gt;alert(1)&lt;/script&gt;", "hljs-string", 'id="L3"'])
      expect(html).toContain(fragment);
    expect(html).not.toContain("<script>alert(1)");
  });

  it("is downloaded byte by byte, under its own name, with a type that no browser runs", async () => {
    const content = "\uFEFF\r\n<b>ש🙂</b>\r\n\n\r";
    const id = await dana.saveFile('שם "x".html', content);
    const response = await dana.ask(`/download/${id}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-disposition": `attachment; filename="__ _x_.html"; filename*=UTF-8''%D7%A9%D7%9D%20%22x%22.html`,
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    const again = { "If-None-Match": required(response.headers.get("ETag")) };
    expect((await dana.send("GET", `/download/${id}`, undefined, again)).status).toBe(304);
  });
});
