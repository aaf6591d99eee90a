import { MongoNetworkError } from "mongodb";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { withCollection } from "#tests/support/databases/replaced-collection.ts";
import { type FormValues, openTestWeb, refusal, toForm } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();

const save = dana.saveFile.bind(dana);
const readText = (id: string, query = "") => dana.read(`/download/${id}${query}`);
const edit = (id: string, fields: FormValues) => dana.press(`/edit/${id}`, fields);
const editAsScript = (id: string, fields: FormValues) => dana.send("POST", `/edit/${id}`, toForm(fields));
const CHARACTERS: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };
const decode = (text: string) => text.replaceAll(/&([^;]+);/g, (_, name) => required(CHARACTERS[name]));

/** The fields that the page's form would send unchanged. */
function fieldsIn(html: string): Record<string, string> {
  const form = required(/<form[^>]*edit-form[\s\S]*?<\/form>/.exec(html))[0];
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    required(/name="([^"]*)"/.exec(tag)?.[1]),
    /value="([^"]*)"/.exec(tag)?.[1] ?? "",
  ]);
  const texts = [...form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>\n?([\s\S]*?)<\/textarea>/g)];
  const language = /<option value="([^"]*)" selected=""/.exec(form)?.[1] ?? "";
  const fields = [...inputs, ...texts.map(([, name, text]) => [name, text]), ["language", language]];
  return Object.fromEntries(fields.map(([name, value]) => [name, decode(required(value))]));
}

const readForm = async (id: string) => fieldsIn(await dana.read(`/edit/${id}`));

describe("an old version", () => {
  it("is shown and downloaded by its number, with a notice and a link to the newest", async () => {
    const id = await save("old.py", "first = 1\n", "second = 2\nmore = 3\n");

    const html = await dana.read(`/file/${id}?v=1`);

    for (const fragment of [
      "You are viewing version 1 of 2.",
      `href="/file/${id}"`,
      "first",
      "1 line",
      `/download/${id}?v=1`,
    ])
      expect(html).toContain(fragment);
    expect(html).not.toContain("second");
    expect(await readText(id, "?v=1")).toBe("first = 1\n");
    expect(await readText(id)).toBe("second = 2\nmore = 3\n");
    expect(await dana.read(`/file/${id}?v=2`)).not.toContain("You are viewing");
    for (const path of [`/file/${id}?v=1`, `/download/${id}?v=1`, `/file/${id}/compare?from=1&to=2`])
      expect((await noam.send("GET", path)).status, path).toBe(404);
  });

  it("is shown by every view, with its number in every address, and without edit controls", async () => {
    const svg = (name: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title><g/></svg>`;
    const md = await save("views.md", "# Early\n\n## Part\n", "# Later\n");
    const drawing = await save("views.svg", svg("Early"), svg("Later"));
    const page = await save("views.html", "<h1>Early</h1>", "<h1>Later</h1>");
    const json = await save("views.json", '{"Early":1}', '{"Later":1}');
    const csv = await save("views.csv", "Early,b\n1,2\n", "Later,b\n1,2\n");

    for (const path of [
      `/file/${md}?v=1`,
      `/md/${md}?v=1`,
      `/file/${drawing}?v=1`,
      `/raw_svg/${drawing}?v=1`,
      `/html/${page}?v=1`,
      `/file/${json}?view=preview&v=1`,
      `/file/${csv}?view=preview&v=1`,
    ]) {
      const html = await dana.read(path);
      expect(html, path).toContain("Early");
      expect(html, path).not.toMatch(/Later|Save details|\/edit\//);
    }
    for (const [path, part] of [
      [`/file/${md}?v=1`, `href="/md/${md}?v=1"`],
      [`/md/${md}?v=1`, `href="/file/${md}?v=1"`],
      [`/md/${md}?v=1`, "You are viewing version 1 of 2."],
      [`/svg/${drawing}?v=1`, `src="/raw_svg/${drawing}?v=1"`],
      [`/svg/${drawing}?v=1`, `href="/svg/${drawing}?background=dark&amp;v=1"`],
      [`/svg/${drawing}`, `src="/raw_svg/${drawing}"`],
      [`/file/${page}?view=preview&v=1`, `src="/html/${page}?v=1"`],
    ] as const)
      expect(await dana.read(path), path).toContain(part);
    expect((await dana.show(`/file/${md}?view=preview&v=1`)).location).toBe(`/md/${md}?v=1`);
    for (const path of [`/md/${md}?v=9`, `/raw_svg/${drawing}?v=0`, `/html/${page}?v=x`])
      expect((await dana.send("GET", path)).status, path).toBe(404);
  });

  it("keeps its number when one of its lines is chosen", async () => {
    const id = await save("chosen.py", "a = 1\n", "a = 2\n");
    const html = await dana.read(`/file/${id}?v=1&L=1`);
    expect(html).toContain('<a class="line-number" href="?v=1&amp;L=1#L1">1</a>');
    expect(html).toContain(`href="/file/${id}/share?v=1&amp;L=1"`);
    expect(await dana.read(`/file/${id}`)).toContain('<a class="line-number" href="?L=1#L1">1</a>');
  });

  it("is viewed as the kind it was", async () => {
    const id = await save("kind.txt", "# Plain");
    await edit(id, { ...(await readForm(id)), file_name: "kind.md" });
    expect((await dana.show(`/md/${id}`)).status).toBe(200);
    expect(await dana.show(`/md/${id}?v=1`)).toMatchObject({ status: 302, location: `/file/${id}?v=1` });
  });

  it.each(["3", "0", "-1", "1.5", "x", "", "99999999999"])("is not there by the number %j", async (v) => {
    const id = await save(`few ${v}.py`, "1", "2");
    const refusal = { status: 404, body: { error: "File not found", file_id: id } };
    for (const path of [`/file/${id}?v=${v}`, `/download/${id}?v=${v}`])
      expect(await dana.send("GET", path)).toMatchObject(refusal);
    const { status, html } = await dana.show(`/file/${id}?v=${v}`);
    expect([status, html]).toEqual([404, expect.stringContaining("This version doesn’t exist.")]);
  });
});

describe("editing", () => {
  it("keeps the byte-order mark and the line ends a file has, and makes no version of a text that nobody touched", async () => {
    const mixed = "\uFEFFone\r\ntwo\nthree\rfour";
    const id = await save("mixed.txt", mixed);
    const text = mixed.slice(1).replaceAll(/\r\n|\r|\n/g, "\r\n");

    const { status } = await edit(id, { ...(await readForm(id)), text, description: "Described", tags: "a" });

    expect(status).toBe(303);
    expect(await dana.read(`/file/${id}`)).toContain("Details saved");
    expect(await readForm(id)).toMatchObject({ version: "1", description: "Described", tags: "a" });
    await edit(id, { ...(await readForm(id)), text: text.replace("two", "2") });
    const saved = await (await dana.ask(`/download/${id}`)).arrayBuffer();
    expect(Buffer.from(saved).toString()).toBe(mixed.replace("two", "2"));
  });

  it("too large to be read returns the form, ready for the browser's draft", async () => {
    const id = await save("huge.txt", "small");
    const huge = { ...(await readForm(id)), text: "x".repeat(6 * 1024 * 1024) };
    const { status, html } = await edit(id, huge);
    expect(status).toBe(413);
    expect(html).toContain("A file can have up to 2 MiB");
    expect(html).toContain(`data-draft-for="${id}"`);
    expect(html).not.toContain("data-returned");
  });

  it("renames, keeps a chosen language, and detects one again for a new name", async () => {
    const id = await save("before.txt", "x");
    await edit(id, { ...(await readForm(id)), language: "go" });
    await edit(id, { ...(await readForm(id)), text: "y" });
    expect((await readForm(id)).language).toBe("go");
    await edit(id, { ...(await readForm(id)), file_name: "after.py" });
    expect(await readForm(id)).toMatchObject({ file_name: "after.py", language: "python", version: "3" });
  });

  it("leaves untouched fields alone, even if they have changed since", async () => {
    const id = await save("tagged.txt", "x");
    const form = await readForm(id);
    await web.db.files.updateOne({ file_name: "tagged.txt" }, { $set: { tags: ["new"] } });
    await edit(id, { ...form, text: "y" });
    expect((await readForm(id)).tags).toBe("new");
  });

  it.each([
    ["a name with a slash", { file_name: "a/b" }, 400, "invalid_file_name"],
    ["another file's name", { file_name: "taken.txt" }, 409, "file_name_taken"],
    ["an unknown language", { language: "klingon" }, 400, "unknown_language"],
    ["too long a tag", { tags: "x".repeat(51) }, 400, "invalid_tags"],
    ["too large a text", { text: `typed${"x".repeat(2 * 1024 * 1024)}` }, 413, "payload_too_large"],
  ])("is refused for %s, with everything typed kept", async (what, fields, status, code) => {
    await save("taken.txt", "theirs");
    const id = await save(`refused ${what}`, "before");
    const form = { ...(await readForm(id)), text: "typed <text>", ...fields };

    const refused = await edit(id, form);

    expect(refused.status).toBe(status);
    expect(refused.html).toContain('role="alert"');
    const refilled = code === "unknown_language" ? { text: form.text } : { ...fields, version: "1" };
    expect(fieldsIn(refused.html)).toMatchObject(refilled);
    expect(await readText(id)).toBe("before");
    expect(await editAsScript(id, form)).toMatchObject({ status, body: { code } });
  });

  it("answers a script in JSON, and refuses a form without a text or a version", async () => {
    const id = await save("script.txt", "x");
    for (const fields of [{ version: "1" }, { text: "x" }, { text: "x", version: "one" }])
      expect(await editAsScript(id, fields as FormValues)).toMatchObject({
        status: 400,
        body: { code: "invalid_payload" },
      });
    const { body } = await editAsScript(id, { version: "1", text: "y" });
    const saved = { ok: true, file_id: id, file_name: "script.txt", version: 2, url: `/file/${id}` };
    expect(body).toEqual(saved);
  });

  it("returns the text for a file that was removed since, ready to be saved again", async () => {
    const id = await save("removed.txt", "x");
    const form = await readForm(id);
    await web.db.files.updateOne({ file_name: "removed.txt" }, { $set: { deleted_at: new Date() } });

    const { status, html } = await edit(id, { ...form, text: "typed for an hour" });

    expect(status).toBe(404);
    expect(html).toContain('action="/upload"');
    const fields = fieldsIn(html);
    expect(fields).toMatchObject({ text: "typed for an hour", file_name: "removed.txt" });
    const again = await dana.press("/upload", fields);
    expect(again.status).toBe(303);
    expect(await readText(required(again.location?.split("/")[2]))).toBe("typed for an hour");
    expect((await dana.show(`/edit/${id}`)).status).toBe(404);
  });
});

it("a stale edit gets a page with both texts and their merge, and overwrites nothing", async () => {
  const id = await save("stale.txt", "one\ntwo\nthree\n");
  const form = await readForm(id);
  await edit(id, { ...form, text: "one\ntwo\nthree\nfour\n" });

  const mine = { ...form, text: "zero\r\none\r\ntwo\r\nthree\r\n", tags: "t" };
  const { status, html } = await edit(id, mine);

  expect(status).toBe(409);
  expect(await readText(id)).toBe("one\ntwo\nthree\nfour\n");
  expect(html).toContain(">zero\none\ntwo\nthree\n</textarea>");
  expect(html).toContain(">one\ntwo\nthree\nfour\n</textarea>");
  const merged = fieldsIn(html);
  expect(merged).toMatchObject({ version: "2", text: "zero\none\ntwo\nthree\nfour\n", tags: "t" });
  expect((await edit(id, merged)).status).toBe(303);
  expect(await readText(id)).toBe("zero\none\ntwo\nthree\nfour\n");
  expect((await readForm(id)).tags).toBe("t");
  expect(await editAsScript(id, mine)).toMatchObject(
    refusal(409, "stale_edit", { code: "stale_edit", version: 3 }),
  );
});

describe("the history", () => {
  const versionsIn = (html: string) => [...html.matchAll(/<th scope="row">(\d+)/g)].map(([, n]) => Number(n));

  it("goes on to older versions by a link", async () => {
    const texts = Array.from({ length: 52 }, (_, i) => `${i}`);
    const { id } = await web.given.file(dana.id, "long.txt", ...texts);
    const older = `/file/${id}/history?before=3`;
    expect(await dana.read(`/file/${id}/history`)).toContain(older);
    expect(versionsIn(await dana.read(older))).toEqual([2, 1]);
  });

  it("restores by the API, and refuses what is not there", async () => {
    const id = await save("api.txt", "good", "bad");
    const restore = (version: unknown) => dana.send("POST", `/api/file/${id}/restore-version`, { version });
    const restored = { ok: true, file_id: id, version: 3, restored: 1 };
    expect(await restore(1)).toMatchObject({ status: 200, body: restored });
    expect(await readText(id)).toBe("good");
    expect(await restore(9)).toMatchObject(refusal(404, "File not found"));
    for (const version of [undefined, "1", 0, 1.5, { $ne: null }])
      expect((await restore(version)).status).toBe(400);
    expect((await readForm(id)).version).toBe("3");
  });
});

describe("comparing", () => {
  const compare = (id: string, query = "?from=1&to=2") => dana.show(`/file/${id}/compare${query}`);

  it.each([
    [
      "the newest and the one before it where none are named",
      ["1\n", "2\n", "3\n"],
      "",
      "Version 2 → version 3",
    ],
    ["too large a text", ["x", "x\n".repeat(600_000)], "?from=1&to=2", "too large"],
    [
      "characters that turn the order around",
      ["a\n", "a \u202E b\n"],
      "?from=1&to=2",
      "invisible characters",
    ],
  ])("accepts, or explains, %s", async (name, texts, query, words) => {
    expect((await compare(await save(name, ...texts), query)).html).toContain(words);
  });

  it("omits what is too much for a page, and says so", async () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}\n`).join("");
    const { html } = await compare(await save("much.txt", text("a"), text("b")));
    expect(html).toContain("Too many changes to show");
    expect(html.length).toBeLessThan(2_000_000);
  });

  it.each([
    ["?from=1&to=9", 404, "version_not_found"],
    ["?from=x&to=1", 400, "invalid_query"],
    ["?from=1&to=", 400, "invalid_query"],
  ])("refuses %s", async (query, status, code) => {
    const id = await save("bad.txt", "1");
    expect(await dana.send("GET", `/file/${id}/compare${query}`)).toMatchObject({ status, body: { code } });
    const page = await compare(id, query);
    expect([page.status, page.html]).toEqual([status, expect.stringContaining('role="alert"')]);
  });
});

describe("while the texts cannot be read", () => {
  const fail = () => Promise.reject(new MongoNetworkError("connection refused"));
  const withoutTexts = (work: () => Promise<void>) => withCollection(web.db, "file_bodies", () => fail, work);

  it("a page answers 503 and the event says that the latest version could not be read", async () => {
    const ids = await Promise.all(["a", "b", "c"].map((name) => save(`${name}.txt`, "private text")));
    const before = (await web.events("db_get_latest_version_error")).length;
    await withoutTexts(async () => {
      for (const [i, view] of ["file", "edit", "download"].entries())
        expect((await dana.send("GET", `/${view}/${ids[i]}`)).status, view).toBe(503);
    });
    const events = (await web.events("db_get_latest_version_error")).slice(before);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ severity: "error", error: "MongoNetworkError" });
    expect(JSON.stringify(events)).not.toContain("private");
  });

  it("a recently read text is still shown, to its owner only", async () => {
    const id = await save("read-before.txt", "read before");
    expect((await dana.show(`/file/${id}`)).status).toBe(200);
    await withoutTexts(async () => {
      const text = { status: 200, body: "read before" };
      expect(await dana.send("GET", `/api/file/${id}/content`)).toMatchObject(text);
      expect((await web.visitor().send("GET", `/api/file/${id}/content`)).status).toBe(401);
    });
  });
});
