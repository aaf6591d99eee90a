import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = await web.visitor().logIn("30");
const noam = await web.visitor().logIn("31");

const put = (visitor: Visitor, name: string, body: BodyInit) =>
  visitor.ask(`/api/files/${encodeURIComponent(name)}`, {
    method: "PUT",
    body,
    duplex: "half",
  } as RequestInit);
const saved = async (visitor: Visitor, name: string, body: BodyInit) =>
  (await (await put(visitor, name, body)).json()).file_id as string;
const bytesAt = async (visitor: Visitor, id: string) =>
  Buffer.from(await (await visitor.ask(`/download/${id}`)).arrayBuffer());

function uploadOf(fields: Record<string, string>, files: [name: string, content: BlobPart][] = []): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of files) form.append("files", new File([content], name));
  return form;
}

describe("saving by PUT", () => {
  it("answers 201 for a new file and 200 for its next version", async () => {
    const [first, second] = [
      await put(dana, "main.py", "print(1)\n"),
      await put(dana, "main.py", "print(2)\n"),
    ];
    const body = await first.json();
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(body).toEqual({
      ok: true,
      file_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      file_name: "main.py",
      version: 1,
      url: `/file/${body.file_id}`,
    });
    expect(await second.json()).toMatchObject({ file_id: body.file_id, version: 2 });
  });

  it("takes a name in any script", async () => {
    expect(await (await put(dana, "שלום עולם 🙂.txt", "x")).json()).toMatchObject({
      ok: true,
      file_name: "שלום עולם 🙂.txt",
    });
  });

  it.each([
    ["a control character", "a\tb"],
    ["256 characters", "x".repeat(256)],
  ])("refuses %s as a name", async (_, name) => {
    const response = await put(dana, name, "x");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "Invalid file name",
      code: "invalid_file_name",
      message: expect.stringContaining("1 to 255 characters"),
    });
  });

  it("refuses a backslash as a name, and says so", async () => {
    const response = await put(dana, "a\\b", "x");
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "Invalid file name", code: "path_with_backslash", message: expect.any(String) },
    ]);
  });

  it.each(["a/../b.py", "a/%2e%2E/b.py", "./b.py", "a/.%2e", "a\\..\\b.py"])(
    "refuses a path with dots as it was sent: %s",
    async (path) => {
      const Cookie = [...dana.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = request(
          web.url,
          { method: "PUT", path: `/api/files/${path}`, headers: { Cookie } },
          async (response) => resolve(`${response.statusCode} ${(await response.toArray()).join("")}`),
        );
        sent.on("error", reject).end("x");
      });
      expect(answer).toMatch(/^400 .*"code":"path_with_dots"/);
      expect((await dana.ask("/api/files/b.py")).status).toBe(404);
    },
  );

  it("refuses binary content by name of the reason", async () => {
    const response = await put(dana, "picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      error: "binary_content",
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("takes 2 MiB and refuses a byte more, announced or not, with nothing cut", async () => {
    const most = Buffer.alloc(2 * 1024 * 1024, "a");
    const id = await saved(dana, "most.txt", most);
    expect((await bytesAt(dana, id)).equals(most)).toBe(true);

    const more = Buffer.concat([most, Buffer.from("a")]);
    const unannounced = new Blob([more]).stream();
    for (const body of [more, unannounced]) {
      expect((await put(web.visitor(), "more.txt", more)).status).toBe(401);
      const response = await put(dana, "more.txt", body);
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: "payload_too_large", max: 2 * 1024 * 1024 });
    }
    expect(await web.db.files.countDocuments({ file_name: "more.txt" })).toBe(0);
  });
});

describe("the upload form", () => {
  it("keeps several files and goes on to the list", async () => {
    const response = await dana.submit(
      "/upload",
      uploadOf({ tags: "x, y" }, [
        ["one.go", "package main\n"],
        ["שתיים.txt", "ב\n"],
      ]),
    );
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/files"]);
    const page = await (await dana.page("/files")).text();
    expect(page).toContain("Saved 2 files");
    const created = /class="notice".*?<\/form>/s.exec(page)?.[0].match(/name="file_ids"/g);
    expect(created).toHaveLength(2);
    const listed = await (await dana.ask("/api/files?limit=2")).json();
    expect(
      listed.files
        .map(({ file_name, tags }: { file_name: string; tags: string[] }) => [file_name, tags])
        .toSorted(),
    ).toEqual([
      ["one.go", ["x", "y"]],
      ["שתיים.txt", ["x", "y"]],
    ]);
  });

  it("keeps a pasted text without the line ends browsers add, and says so once", async () => {
    const response = await dana.submit(
      "/upload",
      uploadOf({ file_name: "pasted.js", text: "a\r\nb\r\n", language: "typescript" }),
    );
    const location = required(response.headers.get("Location"));
    expect(response.status).toBe(303);
    expect((await bytesAt(dana, itemAt(location.split("/"), 2))).toString()).toBe("a\nb\n");
    const html = await (await dana.page(location)).text();
    expect(html).toContain("Saved");
    expect(html).toContain("TypeScript");
    expect(await (await dana.page(location)).text()).not.toContain("Saved");
  });

  it("makes the folders of a typed path, below the chosen one", async () => {
    const eva = await web.visitor().logIn("75");
    const read = async (path: string) => (await eva.ask(`/api/files/${path}`)).status;
    const first = await eva.submit("/upload", uploadOf({ file_name: "tools/first.py", text: "1\n" }));
    expect(first.headers.get("Location")).toMatch(/^\/file\/[0-9a-f]{24}$/);
    await eva.submit("/upload", uploadOf({ file_name: "in/second.py", text: "2\n", folder: "tools" }));
    expect([await read("tools/first.py"), await read("tools/in/second.py")]).toEqual([200, 200]);
    const long = await eva.submit("/upload", uploadOf({ file_name: `in/${"x".repeat(256)}`, text: "3\n" }));
    expect([long.status, await long.text()]).toEqual([
      400,
      expect.stringContaining("Use up to 255 ordinary characters for the file name, and for each folder"),
    ]);
    const refused = await eva.submit("/upload", uploadOf({ file_name: "a//b.py", text: "3\n" }));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("have two in a row");
  });

  it("comes back with what was typed and the reason when it is refused", async () => {
    const response = await dana.submit(
      "/upload",
      uploadOf({ file_name: "a\\b", text: "long <typed> text", tags: "kept" }),
    );
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('role="alert"');
    expect(html).toContain("can’t have a backslash");
    expect(html).toContain("long &lt;typed&gt; text");
    expect(html).toContain('value="a\\b"');
    expect(html).toContain('value="kept"');
  });

  it.each([
    ["nothing was chosen", uploadOf({ file_name: "", text: "" }, [["", ""]]), 400, "no_files"],
    [
      "a file is binary",
      uploadOf({}, [
        ["good.txt", "x"],
        ["bad.bin", Uint8Array.of(0, 1)],
      ]),
      415,
      "binary_content",
    ],
    [
      "the language is unknown",
      uploadOf({ file_name: "a", text: "x", language: "klingon" }),
      400,
      "unknown_language",
    ],
    [
      "the description is too long",
      uploadOf({ file_name: "a", text: "x", description: "x".repeat(501) }),
      400,
      "description_too_long",
    ],
    [
      "there are too many tags",
      uploadOf({ file_name: "a", text: "x", tags: Array.from({ length: 21 }, (_, i) => i).join() }),
      400,
      "invalid_tags",
    ],
    ["it is no form", "{}", 400, "invalid_payload"],
  ])("is refused whole when %s", async (_, body, status, code) => {
    const before = await web.db.files.countDocuments({ user_id: "30" });
    const response = await dana.ask("/upload", { method: "POST", body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
    expect(await web.db.files.countDocuments({ user_id: "30" })).toBe(before);
  });

  it("answers a script in JSON", async () => {
    const response = await dana.ask("/upload", {
      method: "POST",
      body: uploadOf({}, [["script.sh", "ls\n"]]),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      ok: true,
      files: [{ file_name: "script.sh", version: 1 }],
    });
  });
});

describe("the list", () => {
  it("shows twenty to a page, newest first, each with name, language and time, and goes on by a link", async () => {
    const tamar = await web.visitor().logIn("32");
    const noon = web.clock();
    for (let i = 0; i < 25; i += 1) {
      web.clock.set(new Date(noon.getTime() + i * 1000));
      await put(tamar, `n${i}.py`, "x");
    }
    web.clock.set(noon);
    const first = await (await tamar.page("/files")).text();
    const shown = (html: string) => [...new Set(html.match(/n\d+\.py/g))];
    expect(shown(first)).toEqual(Array.from({ length: 20 }, (_, i) => `n${24 - i}.py`));
    expect(first).toContain("Python");
    expect(first).toContain('dateTime="2037-11-14T12:00:24.000+00:00"');
    expect(first.match(/href="\/file\/[0-9a-f]{24}"/g)?.length).toBeGreaterThanOrEqual(20);

    const next = required(required(/href="(\/files\?[^"]*cursor=[^"]*)"/.exec(first))[1]).replaceAll(
      "&amp;",
      "&",
    );
    expect(shown(await (await tamar.page(next)).text())).toEqual([
      "n4.py",
      "n3.py",
      "n2.py",
      "n1.py",
      "n0.py",
    ]);

    const api = await (await tamar.ask("/api/files?limit=10&sort=created_at_asc&lang=PYTHON")).json();
    expect(api).toMatchObject({ ok: true, total: 25, next_cursor: expect.any(String) });
    expect(api.files[0]).toMatchObject({
      file_name: "n0.py",
      language: "python",
      version: 1,
      created_at: "2037-11-14T12:00:00.000+00:00",
    });
    expect(
      await (
        await tamar.ask("/files?limit=10&sort=created_at_asc&lang=PYTHON", {
          headers: { Accept: "application/json" },
        })
      ).json(),
    ).toEqual(api);
  });

  it("answers a damaged cursor with 400, and a navigation with the first page and a notice", async () => {
    for (const path of ["/files?cursor=bad", "/api/files?cursor=bad"]) {
      const response = await dana.ask(path);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: "invalid_cursor" });
    }
    const page = await dana.page("/files?cursor=bad");
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("That page link is broken");
  });

  it.each(["limit=abc", "limit=-1", "limit=0", "sort=size"])("refuses %s", async (query) => {
    const response = await dana.ask(`/api/files?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_query", field: query.split("=")[0] });
  });
});

describe("a file", () => {
  it("is shown highlighted, line by line, with everything in it escaped", async () => {
    const id = await saved(dana, "danger.py", 'x = """<script>alert(1)</script>\n</code>"""\nprint(x)\n');
    const html = await (await dana.page(`/file/${id}`)).text();
    expect(html).toContain("danger.py");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("<script>alert(1)");
    expect(html).toContain("hljs-string");
    expect(html).toContain('id="L3"');
  });

  it("is shown plain when colouring it would take too long, and in parts when it is longer still", async () => {
    const plain = await saved(dana, "long.js", "let a = 1;\n".repeat(20_000));
    const large = await saved(dana, "larger.js", "let a = 1;\n".repeat(100_000));
    const shown = await (await dana.page(`/file/${plain}`)).text();
    expect(shown).toContain("let a = 1;");
    expect(shown).not.toContain("hljs-");
    const part = await (await dana.page(`/file/${large}`)).text();
    expect(part).toContain("let a = 1;");
    expect(part).toContain("Lines 1–20,000 of 100,000");
    expect(part).toContain("?from=20001");
  });

  it("is downloaded byte by byte, under its own name, as nothing a browser would run", async () => {
    const content = "\r\n<b>ש🙂</b>\r\n\n";
    const id = await saved(dana, 'שם "x".html', `\uFEFF${content}`);
    const response = await dana.ask(`/download/${id}`);
    expect(response.headers.get("Content-Disposition")).toBe(
      `attachment; filename="__ _x_.html"; filename*=UTF-8''%D7%A9%D7%9D%20%22x%22.html`,
    );
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
    const again = await dana.ask(`/download/${id}`, {
      headers: { "If-None-Match": required(response.headers.get("ETag")) },
    });
    expect(again.status).toBe(304);
  });

  it("is there for its owner alone", async () => {
    const id = await saved(dana, "secret.txt", "mine");
    for (const path of [`/file/${id}`, `/download/${id}`]) {
      expect((await dana.ask(path)).status).toBe(200);
      const foreign = await noam.ask(path);
      expect(foreign.status).toBe(404);
      expect(await foreign.json()).toMatchObject({ error: "File not found", file_id: id });
    }
    expect((await (await noam.ask("/api/files")).json()).total).toBe(0);
  });
});
