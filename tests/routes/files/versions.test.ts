import { MongoNetworkError } from "mongodb";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_WRITES_PER_MINUTE: "1000" });
const dana = await web.visitor().logIn("60");
const noam = await web.visitor().logIn("61");

const put = async (visitor: Visitor, name: string, body: string) =>
  (await (await visitor.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body })).json())
    .file_id as string;
const bytesAt = async (visitor: Visitor, id: string, query = "") =>
  (await visitor.ask(`/download/${id}${query}`)).text();

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const edit = (visitor: Visitor, id: string, fields: Record<string, string>) =>
  visitor.submit(`/edit/${id}`, formOf(fields));
const editAsScript = (visitor: Visitor, id: string, fields: Record<string, string>) =>
  visitor.ask(`/edit/${id}`, { method: "POST", body: formOf(fields) });

async function withVersions(visitor: Visitor, name: string, ...bodies: string[]): Promise<string> {
  let id = "";
  for (const body of bodies) id = await put(visitor, name, body);
  return id;
}

/** What a form of the page would send, as it stands. */
function fieldsIn(html: string): Record<string, string> {
  const decoded = (text: string) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replaceAll("&amp;", "&");
  const form = required(/<form[^>]*edit-form[\s\S]*?<\/form>/.exec(html))[0];
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    required(required(/name="([^"]*)"/.exec(tag))[1]),
    /value="([^"]*)"/.exec(tag)?.[1] ?? "",
  ]);
  const texts = [...form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g)].map(
    ([, name, text]) => [required(name), required(text).replace(/^\n/, "")],
  );
  const language = /<option value="([^"]*)" selected=""/.exec(form)?.[1] ?? "";
  return Object.fromEntries(
    [...inputs, ...texts, ["language", language]].map(([name, value]) => [
      required(name),
      decoded(required(value)),
    ]),
  );
}

const formAt = async (visitor: Visitor, id: string) =>
  fieldsIn(await (await visitor.page(`/edit/${id}`)).text());

describe("an old version", () => {
  it("is shown and downloaded by its number, with a notice and a link to the newest", async () => {
    const id = await withVersions(dana, "old.py", "first = 1\n", "second = 2\nmore = 3\n");

    const html = await (await dana.page(`/file/${id}?v=1`)).text();

    expect(html).toContain("You are viewing version 1 of 2.");
    expect(html).toContain(`href="/file/${id}"`);
    expect(html).toContain("first");
    expect(html).not.toContain("second");
    expect(html).toContain("1 line");
    expect(html).toContain(`/download/${id}?v=1`);
    expect(await bytesAt(dana, id, "?v=1")).toBe("first = 1\n");
    expect(await bytesAt(dana, id)).toBe("second = 2\nmore = 3\n");
    expect(await (await dana.page(`/file/${id}?v=2`)).text()).not.toContain("You are viewing");
  });

  it("is shown by every view, with its number in every address, and nothing to change about it", async () => {
    const svg = (name: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${name}</title><g/></svg>`;
    const md = await withVersions(dana, "views.md", "# Early\n\n## Part\n", "# Later\n");
    const drawing = await withVersions(dana, "views.svg", svg("Early"), svg("Later"));
    const page = await withVersions(dana, "views.html", "<h1>Early</h1>", "<h1>Later</h1>");
    const json = await withVersions(dana, "views.json", '{"Early":1}', '{"Later":1}');
    const csv = await withVersions(dana, "views.csv", "Early,b\n1,2\n", "Later,b\n1,2\n");
    const at = async (path: string) => (await dana.page(path)).text();

    for (const path of [
      `/file/${md}?v=1`,
      `/md/${md}?v=1`,
      `/file/${drawing}?v=1`,
      `/raw_svg/${drawing}?v=1`,
      `/html/${page}?v=1`,
      `/file/${json}?view=preview&v=1`,
      `/file/${csv}?view=preview&v=1`,
    ]) {
      const html = await at(path);
      expect(html, path).toContain("Early");
      expect(html, path).not.toContain("Later");
      expect(html, path).not.toContain("Save details");
      expect(html, path).not.toContain("/edit/");
    }
    expect(await at(`/file/${md}?v=1`)).toContain(`href="/md/${md}?v=1"`);
    expect(await at(`/md/${md}?v=1`)).toContain(`href="/file/${md}?v=1"`);
    expect(await at(`/md/${md}?v=1`)).toContain("You are viewing version 1 of 2.");
    expect(await at(`/svg/${drawing}?v=1`)).toContain(`src="/raw_svg/${drawing}?v=1"`);
    expect(await at(`/svg/${drawing}?v=1`)).toContain(`href="/svg/${drawing}?background=dark&amp;v=1"`);
    expect(await at(`/svg/${drawing}`)).toContain(`src="/raw_svg/${drawing}"`);
    expect(await at(`/file/${page}?view=preview&v=1`)).toContain(`src="/html/${page}?v=1"`);
    const redirected = await dana.page(`/file/${md}?view=preview&v=1`);
    expect(redirected.headers.get("Location")).toBe(`/md/${md}?v=1`);
    for (const path of [`/md/${md}?v=9`, `/raw_svg/${drawing}?v=0`, `/html/${page}?v=x`])
      expect((await dana.ask(path)).status, path).toBe(404);
  });

  it("keeps its number when one of its lines is chosen", async () => {
    const id = await withVersions(dana, "chosen.py", "a = 1\n", "a = 2\n");
    const html = await (await dana.page(`/file/${id}?v=1&L=1`)).text();
    expect(html).toContain('<a class="line-number" href="?v=1&amp;L=1#L1">1</a>');
    expect(html).toContain(`href="/file/${id}/share?v=1&amp;L=1"`);
    const newest = await (await dana.page(`/file/${id}`)).text();
    expect(newest).toContain('<a class="line-number" href="?L=1#L1">1</a>');
  });

  it("is viewed as the kind it was", async () => {
    const id = await withVersions(dana, "kind.txt", "# Plain");
    await edit(dana, id, { ...(await formAt(dana, id)), file_name: "kind.md" });
    expect((await dana.page(`/md/${id}`)).status).toBe(200);
    const old = await dana.page(`/md/${id}?v=1`);
    expect([old.status, old.headers.get("Location")]).toEqual([302, `/file/${id}?v=1`]);
  });

  it.each(["3", "0", "-1", "1.5", "x", "", "99999999999"])("is not there by the number %j", async (v) => {
    const id = await withVersions(dana, "few.py", "1", "2");
    for (const path of [`/file/${id}?v=${v}`, `/download/${id}?v=${v}`]) {
      const response = await dana.ask(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: "File not found", file_id: id });
    }
    const page = await dana.page(`/file/${id}?v=${v}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("This version doesn’t exist.");
    await dana.ask(`/api/files/few.py`, { method: "PUT", body: "1" });
  });

  it("is there for its owner alone", async () => {
    const id = await withVersions(dana, "mine.py", "1", "2");
    for (const path of [
      `/file/${id}?v=1`,
      `/download/${id}?v=1`,
      `/edit/${id}`,
      `/file/${id}/history`,
      `/file/${id}/compare?from=1&to=2`,
    ]) {
      expect((await dana.page(path)).status, path).toBe(200);
      const foreign = await noam.ask(path);
      expect(foreign.status, path).toBe(404);
      expect(await foreign.json()).toMatchObject({ error: "File not found", file_id: id });
      expect((await web.visitor().ask(path)).status, path).toBe(401);
    }
  });
});

describe("editing", () => {
  it("shows the text and what is known about it, and saves the next version", async () => {
    const id = await put(dana, "edit.py", "\n<b>\n");
    const form = await formAt(dana, id);
    expect(form).toMatchObject({ version: "1", file_name: "edit.py", text: "\n<b>\n", language: "python" });

    const response = await edit(dana, id, {
      ...form,
      text: "a\r\nb\r\n",
      description: "Words",
      tags: "x, y",
    });

    expect([response.status, response.headers.get("Location")]).toEqual([303, `/file/${id}`]);
    const html = await (await dana.page(`/file/${id}`)).text();
    expect(html).toContain("version 2");
    expect(html).toContain("Words");
    expect(await bytesAt(dana, id)).toBe("a\nb\n");
    expect(await bytesAt(dana, id, "?v=1")).toBe("\n<b>\n");
    expect((await formAt(dana, id)).tags).toBe("x, y");
  });

  it("keeps the line ends a file has", async () => {
    const id = await put(dana, "windows.txt", "a\r\nb\r\n");
    await edit(dana, id, { ...(await formAt(dana, id)), text: "a\r\nc\r\n" });
    expect(await bytesAt(dana, id)).toBe("a\r\nc\r\n");
  });

  it("changes no byte of a text that nobody touched, and makes no version of it", async () => {
    const mixed = "one\r\ntwo\nthree\rfour";
    const id = await put(dana, "mixed.txt", mixed);
    const form = { ...(await formAt(dana, id)), text: mixed.replaceAll(/\r\n|\r|\n/g, "\r\n") };

    const response = await edit(dana, id, { ...form, description: "Described", tags: "a" });

    expect(response.status).toBe(303);
    expect(await (await dana.page(`/file/${id}`)).text()).toContain("Details saved");
    expect(await formAt(dana, id)).toMatchObject({ version: "1", description: "Described", tags: "a" });
    expect(await bytesAt(dana, id)).toBe(mixed);
  });

  it("too large to be read comes back as the form, ready for the text the browser kept", async () => {
    const id = await put(dana, "huge.txt", "small");
    const response = await edit(dana, id, {
      ...(await formAt(dana, id)),
      text: "x".repeat(6 * 1024 * 1024),
    });
    const html = await response.text();
    expect(response.status).toBe(413);
    expect(html).toContain("A file can have up to 2 MiB");
    expect(html).toContain(`data-draft-for="${id}"`);
    expect(html).not.toContain("data-returned");
  });

  it("renames, keeps a chosen language, and detects one again for a new name", async () => {
    const id = await put(dana, "before.txt", "x");
    await edit(dana, id, { ...(await formAt(dana, id)), language: "go" });
    await edit(dana, id, { ...(await formAt(dana, id)), text: "y" });
    expect((await formAt(dana, id)).language).toBe("go");
    await edit(dana, id, { ...(await formAt(dana, id)), file_name: "after.py" });
    expect(await formAt(dana, id)).toMatchObject({ file_name: "after.py", language: "python", version: "3" });
  });

  it("leaves alone what was not touched, though it changed meanwhile", async () => {
    const id = await put(dana, "tagged.txt", "x");
    const form = await formAt(dana, id);
    await web.db.files.updateOne({ file_name: "tagged.txt", user_id: "60" }, { $set: { tags: ["new"] } });
    await edit(dana, id, { ...form, text: "y" });
    expect((await formAt(dana, id)).tags).toBe("new");
  });

  it.each([
    ["a name with a slash", { file_name: "a/b" }, 400, "invalid_file_name"],
    ["another file's name", { file_name: "taken.txt" }, 409, "file_name_taken"],
    ["an unknown language", { language: "klingon" }, 400, "unknown_language"],
    ["too long a description", { description: "x".repeat(501) }, 400, "description_too_long"],
    ["too long a tag", { tags: "x".repeat(51) }, 400, "invalid_tags"],
    ["a binary text", { text: "typed\0text" }, 415, "binary_content"],
    ["too large a text", { text: `typed${"x".repeat(2 * 1024 * 1024)}` }, 413, "payload_too_large"],
  ])("is refused for %s, with everything typed still there", async (what, fields, status, code) => {
    await put(dana, "taken.txt", "theirs");
    const id = await put(dana, `refused ${what}`, "before");
    const form = { ...(await formAt(dana, id)), text: "typed <text>", ...fields };

    const response = await edit(dana, id, form);
    const html = await response.text();

    expect(response.status).toBe(status);
    expect(html).toContain('role="alert"');
    const { shown_file_name: _, ...back } = fieldsIn(html);
    expect(back).toMatchObject(
      code === "unknown_language" ? { text: form.text } : { ...fields, version: "1" },
    );
    expect(await bytesAt(dana, id)).toBe("before");
    const asScript = await editAsScript(dana, id, form);
    expect([asScript.status, (await asScript.json()).code]).toEqual([status, code]);
  });

  it.each([
    ["no text", { version: "1" }],
    ["no version", { text: "x" }],
    ["a version that is none", { text: "x", version: "one" }],
  ])("is refused as a form with %s", async (_, fields) => {
    const id = await put(dana, "whole.txt", "x");
    const response = await editAsScript(dana, id, fields);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_payload" });
  });

  it("answers a script in JSON", async () => {
    const id = await put(dana, "script.txt", "x");
    const response = await editAsScript(dana, id, { version: "1", text: "y" });
    expect(await response.json()).toEqual({
      ok: true,
      file_id: id,
      file_name: "script.txt",
      version: 2,
      url: `/file/${id}`,
    });
  });

  it("hands the text back for a file that was removed meanwhile, ready to be saved anew", async () => {
    const id = await put(dana, "removed.txt", "x");
    const form = await formAt(dana, id);
    await web.db.files.updateOne(
      { file_name: "removed.txt", user_id: "60" },
      { $set: { deleted_at: new Date() } },
    );

    const response = await edit(dana, id, { ...form, text: "typed for an hour" });
    const html = await response.text();

    expect(response.status).toBe(404);
    expect(html).toContain('action="/upload"');
    const fields = fieldsIn(html);
    expect(fields).toMatchObject({ text: "typed for an hour", file_name: "removed.txt" });
    const again = await dana.submit("/upload", formOf(fields));
    expect(again.status).toBe(303);
    expect(await bytesAt(dana, itemAt(required(again.headers.get("Location")).split("/"), 2))).toBe(
      "typed for an hour",
    );
    expect((await dana.page(`/edit/${id}`)).status).toBe(404);
  });
});

describe("a stale edit", () => {
  it("is a page with mine, theirs and both together, and overwrites nothing", async () => {
    const id = await put(dana, "stale.txt", "one\ntwo\nthree\n");
    const mine = await formAt(dana, id);
    const theirs = await formAt(dana, id);
    await edit(dana, id, { ...theirs, text: "one\ntwo\nthree\nfour\n" });

    const response = await edit(dana, id, { ...mine, text: "zero\r\none\r\ntwo\r\nthree\r\n", tags: "t" });
    const html = await response.text();

    expect(response.status).toBe(409);
    expect(await bytesAt(dana, id)).toBe("one\ntwo\nthree\nfour\n");
    expect(html).toContain(">zero\none\ntwo\nthree\n</textarea>");
    expect(html).toContain(">one\ntwo\nthree\nfour\n</textarea>");
    const merged = fieldsIn(html);
    expect(merged).toMatchObject({ version: "2", text: "zero\none\ntwo\nthree\nfour\n", tags: "t" });
    expect((await edit(dana, id, merged)).status).toBe(303);
    expect(await bytesAt(dana, id)).toBe("zero\none\ntwo\nthree\nfour\n");
    expect((await formAt(dana, id)).tags).toBe("t");
  });

  it("has markers only where the same lines were changed", async () => {
    const id = await put(dana, "collide.txt", "one\ntwo\nthree\n");
    const mine = await formAt(dana, id);
    await put(dana, "collide.txt", "ONE\nTWO\nthree\n");
    const html = await (await edit(dana, id, { ...mine, text: "one\n2\nTHREE\n" })).text();
    expect(html).toContain("1 conflict");
    expect(fieldsIn(html).text).toBe(
      "<<<<<<< Your text\none\n2\nTHREE\n=======\nONE\nTWO\nthree\n>>>>>>> Version 2\n",
    );
  });

  it("keeps both texts on the page while marks are left, and saves them only where they are wanted", async () => {
    const id = await put(dana, "marks.txt", "one\n");
    const mine = await formAt(dana, id);
    await put(dana, "marks.txt", "ONE\n");
    const merged = fieldsIn(await (await edit(dana, id, { ...mine, text: "1\n" })).text());

    const refused = await edit(dana, id, merged);
    const html = await refused.text();

    expect(refused.status).toBe(400);
    expect(await bytesAt(dana, id)).toBe("ONE\n");
    expect(html).toContain(">ONE\n</textarea>");
    expect(html).toContain("1 conflict");
    expect(html).toContain(`/file/${id}/compare?from=1&amp;to=2`);
    const again = fieldsIn(html);
    expect(again).toMatchObject({ version: "2", from: "1", mine: "1\n", text: merged.text });
    expect((await edit(dana, id, { ...again, keep_marks: "1" })).status).toBe(303);
    expect(await bytesAt(dana, id)).toBe(merged.text);
  });

  it("is 409 with the current version for a script", async () => {
    const id = await withVersions(dana, "stale.json", "1", "2", "3");
    const response = await editAsScript(dana, id, { version: "1", text: "mine" });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: "stale_edit", code: "stale_edit", version: 3 });
    expect(await bytesAt(dana, id)).toBe("3");
  });
});

describe("the history", () => {
  it("lists versions with number, moment, size and lines, and the ways on from each", async () => {
    const id = await withVersions(dana, "story.txt", "a\n", "a\nb\n", "c\n");
    const html = await (await dana.page(`/file/${id}/history`)).text();
    const rows = [...html.matchAll(/<th scope="row">(\d+)/g)].map(([, version]) => version);
    expect(rows).toEqual(["3", "2", "1"]);
    for (const address of [`/file/${id}?v=2`, `/download/${id}?v=2`, `/file/${id}/compare?from=1&amp;to=2`])
      expect(html).toContain(`href="${address}"`);
    expect(html).toContain('dateTime="2037-11-14T12:00:00.000+00:00"');
    expect(html).toContain("4 B");
    expect(html).toMatch(/<title>History of .*story\.txt.* · Codeshelf<\/title>/);
    expect(await (await dana.page(`/file/${id}`)).text()).toContain(`href="/file/${id}/history"`);
  });

  it("goes on to older versions by a link", async () => {
    const id = await withVersions(dana, "long.txt", ...Array.from({ length: 52 }, (_, i) => `${i}`));
    const html = await (await dana.page(`/file/${id}/history`)).text();
    expect(html).toContain(`/file/${id}/history?before=3`);
    const older = await (await dana.page(`/file/${id}/history?before=3`)).text();
    expect([...older.matchAll(/<th scope="row">(\d+)/g)].map(([, version]) => version)).toEqual(["2", "1"]);
  });

  it("restores by a plain form, as a new version", async () => {
    const id = await withVersions(dana, "back.txt", "good", "bad");
    const response = await dana.submit(`/file/${id}/history`, { version: "1" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, `/file/${id}`]);
    expect(await (await dana.page(`/file/${id}`)).text()).toContain("as version 3");
    expect(await bytesAt(dana, id)).toBe("good");
    expect(await bytesAt(dana, id, "?v=2")).toBe("bad");
  });

  it("restores by the API, and refuses what is not there", async () => {
    const id = await withVersions(dana, "api.txt", "good", "bad");
    const restore = (visitor: Visitor, file: string, body: unknown) =>
      visitor.ask(`/api/file/${file}/restore-version`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });

    const response = await restore(dana, id, { version: 1 });

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: true, file_id: id, version: 3, restored: 1 });
    expect(await bytesAt(dana, id)).toBe("good");
    const missing = await restore(dana, id, { version: 9 });
    expect([missing.status, (await missing.json()).error]).toEqual([404, "File not found"]);
    expect((await restore(noam, id, { version: 1 })).status).toBe(404);
    for (const body of [{}, { version: "1" }, { version: 0 }, { version: 1.5 }, { version: { $ne: null } }])
      expect((await restore(dana, id, body)).status).toBe(400);
    expect((await formAt(dana, id)).version).toBe("3");
  });
});

describe("comparing", () => {
  it("shows what went and what came, with the changed words marked and the rest folded", async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
    const changed = lines.with(14, "line <fifteen>");
    const id = await withVersions(dana, "diff.txt", `${lines.join("\n")}\n`, `${changed.join("\n")}\n`);

    const html = await (await dana.page(`/file/${id}/compare?from=1&to=2`)).text();

    expect(html).toContain("1 line added");
    expect(html).toContain("1 line removed");
    expect(html).toContain('<del class="diff-text">line <mark>15</mark></del>');
    expect(html).toContain('<ins class="diff-text">line <mark>&lt;fifteen&gt;</mark></ins>');
    expect(required(html.match(/<details/g)).length).toBeGreaterThanOrEqual(2);
    expect(html).toContain("11 unchanged lines");
    expect(html).toContain("12 unchanged lines");
  });

  it("takes the newest and the one before it where no versions are named", async () => {
    const id = await withVersions(dana, "default.txt", "1\n", "2\n", "3\n");
    const html = await (await dana.page(`/file/${id}/compare`)).text();
    expect(html).toContain("Version 2 → version 3");
  });

  it("says that two versions are the same, and that they are too large", async () => {
    const same = await withVersions(dana, "same.txt", "1\n", "2\n", "1\n");
    expect(await (await dana.page(`/file/${same}/compare?from=1&to=3`)).text()).toContain("identical");
    const large = await withVersions(dana, "large.txt", "x", "x\n".repeat(600_000));
    expect(await (await dana.page(`/file/${large}/compare?from=1&to=2`)).text()).toContain("too large");
  });

  it("leaves out what is too much for a page, and says so", async () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}\n`).join("");
    const id = await withVersions(dana, "much.txt", text("a"), text("b"));
    const html = await (await dana.page(`/file/${id}/compare?from=1&to=2`)).text();
    expect(html).toContain("Too many changes to show");
    expect(html.length).toBeLessThan(2_000_000);
  });

  it.each([
    ["from=1&to=9", 404, "version_not_found"],
    ["from=9&to=1", 404, "version_not_found"],
    ["from=x&to=1", 400, "invalid_query"],
    ["from=1&to=0", 400, "invalid_query"],
    ["from=1&to=", 400, "invalid_query"],
  ])("refuses %s", async (query, status, code) => {
    const id = await withVersions(dana, "bad.txt", "1");
    const response = await dana.ask(`/file/${id}/compare?${query}`);
    expect([response.status, (await response.json()).code]).toEqual([status, code]);
    const page = await dana.page(`/file/${id}/compare?${query}`);
    expect(page.status).toBe(status);
    expect(await page.text()).toContain('role="alert"');
  });

  it("shows characters that turn the order around by name", async () => {
    const id = await withVersions(dana, "trojan.js", "a\n", "a \u202E b\n");
    const html = await (await dana.page(`/file/${id}/compare?from=1&to=2`)).text();
    expect(html).toContain('<span class="bidi-control">RLO</span>');
    expect(html).toContain("invisible characters");
  });
});

describe("while the texts cannot be read", () => {
  async function withoutTexts(work: () => Promise<void>): Promise<void> {
    const real = web.db.file_bodies;
    const fail = () => Promise.reject(new MongoNetworkError("connection refused"));
    Object.assign(web.db, { file_bodies: new Proxy(real, { get: () => fail }) });
    try {
      await work();
    } finally {
      Object.assign(web.db, { file_bodies: real });
    }
  }

  it("a page answers 503 and the event says that the latest version could not be read", async () => {
    const ids = await Promise.all(["a", "b", "c"].map((name) => put(dana, `${name}.txt`, "private text")));
    const before = (await web.events("db_get_latest_version_error")).length;
    await withoutTexts(async () => {
      for (const [i, view] of ["file", "edit", "download"].entries())
        expect((await dana.ask(`/${view}/${ids[i]}`)).status, view).toBe(503);
    });
    const events = (await web.events("db_get_latest_version_error")).slice(before);
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({ severity: "error", error: "MongoNetworkError" });
    expect(JSON.stringify(events)).not.toContain("private");
  });

  it("a text that was read lately is shown all the same, to its owner alone", async () => {
    const id = await put(dana, "read-before.txt", "read before");
    expect((await dana.page(`/file/${id}`)).status).toBe(200);
    await withoutTexts(async () => {
      const answer = await dana.ask(`/api/file/${id}/content`);
      expect([answer.status, await answer.text()]).toEqual([200, "read before"]);
      expect((await web.visitor().ask(`/api/file/${id}/content`)).status).toBe(401);
    });
  });
});
