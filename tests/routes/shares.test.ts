import { unzipSync } from "fflate";
import { MongoNetworkError } from "mongodb";
import { describe, expect, it, vi } from "vitest";
import { required } from "#domain/required.ts";
import { toEventShareName } from "#domain/shares/share.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const dana = await web.person();
const noam = await web.person();
const stranger = web.visitor();
const IN_A_WEEK = "2037-11-21T12:00:00.000+00:00";
const UNKNOWN = "A".repeat(16);
const NOON = web.clock();

async function shared(fileId: string, wish: object = {}, visitor = dana): Promise<string> {
  const { status, body } = await visitor.send("POST", `/api/share/${fileId}`, wish);
  expect([status, body]).toEqual([200, expect.objectContaining({ ok: true })]);
  return body.share_id;
}
const sharedText = async (name: string, body = "x = 1\n", wish?: object) =>
  shared(await dana.saveFile(name, body), wish);

const raw = (id: string) => stranger.read(`/share/${id}/raw`);
const readShare = (id: string) => web.db.shares.findOne({ _id: id });
const countViews = async (id: string) => (await readShare(id))?.views;
/** Runs `look` with the clock moved on, and keeps the signed-in person's session. */
async function later<T>(ms: number, look: () => Promise<T>): Promise<T> {
  web.clock.set(new Date(NOON.getTime() + ms));
  try {
    return await look();
  } finally {
    web.clock.set(NOON);
  }
}

describe("sharing a file", () => {
  it("returns its address, its id of 16 characters and its end in a week", async () => {
    const answer = await dana.send("POST", `/api/share/${await dana.saveFile("shared.py")}`, {
      mode: "full",
    });
    const { share_id, url } = answer.body;
    expect(answer).toMatchObject({ status: 200, body: { ok: true, expires_at: IN_A_WEEK } });
    expect(share_id).toMatch(/^[\w-]{16}$/);
    expect(url).toBe(`${web.url}/share/${share_id}`);
    expect((await stranger.show(`/share/${share_id}`)).status).toBe(200);
  });

  it.each([
    ["lines it does not have", { lines: "1-2" }, "invalid_share_lines"],
    ["a short password", { password: "12345" }, "invalid_share_password"],
  ])("refuses %s", async (_, wish, error) => {
    const id = await dana.saveFile("refused.py");
    const before = await web.db.shares.countDocuments({});
    expect(await dana.send("POST", `/api/share/${id}`, wish)).toMatchObject({ status: 400, body: { error } });
    expect(await web.db.shares.countDocuments({})).toBe(before);
  });

  it("is 404 for a file in the trash and for a version it does not have", async () => {
    const [deleted, mine] = [await dana.saveFile("deleted.py"), await dana.saveFile("mine.py")];
    await dana.send("POST", `/api/file/${deleted}/trash`);
    const missing = { status: 404, body: { error: "File not found", file_id: deleted } };
    expect(await dana.send("POST", `/api/share/${deleted}`, {})).toMatchObject(missing);
    expect((await dana.send("POST", `/api/share/${mine}`, { version: 2 })).status).toBe(404);
  });

  it("always shows one version: edits, new names and other versions change nothing", async () => {
    const id = await dana.saveFile("snapshot.py", "first = 1\n");
    const first = await shared(id);
    await dana.saveFile("snapshot.py", "second = 2\n");
    const [second, again] = [await shared(id), await shared(id, { version: 1 })];
    await dana.press(`/edit/${id}`, { file_name: "renamed.py", text: "third\n", version: "2" });
    expect(await dana.read(`/file/${id}`)).toContain("renamed.py");

    expect(await Promise.all([first, second, again].map(raw))).toEqual([
      "first = 1\n",
      "second = 2\n",
      "first = 1\n",
    ]);
    expect(await stranger.read(`/share/${first}`)).toContain("snapshot.py");
  });

  it("shows a range of lines under their own numbers, and a preview without the rest", async () => {
    const body = Array.from({ length: 40 }, (_, i) => `row_${i + 1}`).join("\n");
    const range = await sharedText("lines.txt", body, { lines: "30-31" });
    const preview = await sharedText("lines.txt", body, { mode: "preview" });
    expect(await raw(range)).toBe("row_30\nrow_31\n");
    const html = await stranger.read(`/share/${range}`);
    expect(html).toContain('id="L30"');
    expect(html).not.toContain("row_32");
    const shown = await stranger.read(`/share/${preview}`);
    expect(shown).toContain("row_20");
    expect(shown).toContain("Only the first lines are shared.");
    for (const text of [shown, await raw(preview)]) expect(text).not.toContain("row_21");
  });
});

describe("the public page", () => {
  it("is inert, not to be indexed, kept for seconds, and leaves no cookie", async () => {
    const id = await sharedText("notes.md", "# Title\n\n<script>alert(1)</script> <b onclick=x>words</b>\n");

    for (const query of ["", "?view=md", "?view=source"]) {
      const { status, headers, html } = await stranger.show(`/share/${id}${query}`);
      expect(status).toBe(200);
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(html).toContain('<meta name="robots" content="noindex');
      expect(headers.get("Cache-Control")).toBe("public, max-age=10");
      expect(headers.get("Vary")).toContain("Cookie");
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(html).not.toMatch(/<script>alert|<b onclick/);
      expect(html.includes('<h1 id="title"')).toBe(query !== "?view=source");
    }
  });

  it.each([
    ["raw", "inline"],
    ["download", "attachment;"],
  ])("gives the exact bytes at /%s, never as a document", async (form, disposition) => {
    const id = await sharedText("שלום 🙂.html", "<script>alert(1)</script>\r\n");
    const { body, headers } = await stranger.send("GET", `/share/${id}/${form}`);
    expect(body).toBe("<script>alert(1)</script>\r\n");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": expect.stringContaining(disposition),
      "content-security-policy": expect.stringContaining("sandbox"),
      "x-content-type-options": "nosniff",
      "x-robots-tag": expect.stringContaining("noindex"),
    });
    expect((await stranger.send("GET", `/share/${id}/nonsense`)).status).toBe(404);
  });

  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script><rect width="9" height="9"/></svg>';

  it.each([
    ["html", "<h1>Hi</h1><script>alert(1)</script><p onclick='x()'>there</p>", "text/html", "<iframe"],
    ["svg", SVG, "image/svg+xml", "<img"],
  ])("shows %s rendered, inert, beside its source", async (kind, text, type, element) => {
    const id = await sharedText(`pictured.${kind}`, text);

    const source = await stranger.read(`/share/${id}`);
    const view = await stranger.read(`/share/${id}?view=${kind}`);
    const { body, headers } = await stranger.send("GET", `/share/${id}/${kind}`);

    expect(source).toContain(`href="/share/${id}?view=${kind}"`);
    expect(source).not.toContain(`src="/share/${id}/${kind}"`);
    expect(view).toMatch(new RegExp(`${element} [^>]*src="/share/${id}/${kind}"`));
    if (kind === "html") expect(view).toContain('sandbox=""');
    expect(body).not.toMatch(/script|onclick/);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy":
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
      "x-frame-options": "SAMEORIGIN",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-robots-tag": expect.stringContaining("noindex"),
    });
    expect(await countViews(id)).toBe(2);
  });

  it("shows only the shared part of a page, and of a partial drawing the source and the reason", async () => {
    const text = Array.from({ length: 40 }, (_, i) => `<p>line ${i + 1}</p>\n`).join("");
    const begun = await sharedText("begun.html", text, { mode: "preview" });
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg">\n<g>\n</g>\n</svg>\n';
    const cut = await sharedText("cut.svg", drawing, { lines: "2-3" });

    const inside = await stranger.read(`/share/${begun}/html`);
    const shown = await stranger.read(`/share/${cut}?view=svg`);

    expect([inside.includes("line 20"), inside.includes("line 21")]).toEqual([true, false]);
    expect(shown).toContain('role="alert"');
    expect(shown).not.toContain(`src="/share/${cut}/svg"`);
  });

  it("has only the view of its kind, and none before it is opened", async () => {
    const python = await sharedText("plain.py");
    const locked = await sharedText("locked.html", "<p>behind it</p>", { password: "open sesame" });

    for (const kind of ["html", "svg", "md"])
      expect(await stranger.send("GET", `/share/${python}?view=${kind}`)).toMatchObject({
        status: 415,
        body: { code: "unsupported_view" },
      });
    for (const kind of ["html", "svg"])
      expect((await stranger.send("GET", `/share/${python}/${kind}`)).status).toBe(404);
    const { status, location } = await stranger.show(`/share/${python}?view=md`);
    expect([status, location]).toEqual([302, `/share/${python}`]);
    expect(await countViews(python)).toBe(0);
    const closed = await stranger.send("GET", `/share/${locked}/html`);
    expect([closed.status, JSON.stringify(closed.body).includes("behind it")]).toEqual([403, false]);
  });

  it("tells strangers nothing about its library", async () => {
    const about = { file_name: "secret-tags.py", description: "inner words", tags: ["inner"] };
    const { id } = await web.given.saved(dana.id, { ...about, body: "x\n" });
    const html = await stranger.read(`/share/${await shared(id)}`);
    expect(html).toContain("secret-tags.py");
    for (const inner of [id, "inner words", ">inner<", "Dana"]) expect(html).not.toContain(inner);
  });

  it("is the same 404 for a link that never existed, has ended, was revoked or is in the trash", async () => {
    const ended = await sharedText("ended.py", "x", { expires_in_days: 1 });
    const revoked = await sharedText("revoked.py");
    const fileId = await dana.saveFile("trashed.py");
    const trashed = await shared(fileId);
    for (const id of [ended, revoked, trashed])
      expect((await stranger.show(`/share/${id}`)).status).toBe(200);
    expect((await dana.send("DELETE", `/api/shares/${revoked}`)).status).toBe(200);
    await dana.send("POST", `/api/file/${fileId}/trash`);
    const before = (await web.events("share_view_not_found")).length;

    const ids = [ended, revoked, trashed, UNKNOWN, "short", "x".repeat(300)];
    const pages = await later(DAY_MS, () => Promise.all(ids.map((id) => stranger.show(`/share/${id}`))));

    expect(pages.map(({ status }) => status)).toEqual(Array(6).fill(404));
    const ofRequest = /<code dir="ltr">\w+<\/code>|nonce="[^"]*"|\/share\/[\w-]+/g;
    expect(new Set(pages.map(({ html }) => html.replace(ofRequest, ""))).size).toBe(1);
    const events = (await web.events("share_view_not_found")).slice(before);
    expect(events).toHaveLength(6);
    expect(events.map(({ share_id }) => share_id)).toContain(toEventShareName(ended));
    expect((await stranger.send("GET", `/share/${UNKNOWN}`)).body).toMatchObject({
      error: "Share not found",
      share_id: UNKNOWN,
    });
    await dana.send("POST", `/api/trash/${fileId}/restore`);
    expect((await stranger.show(`/share/${trashed}`)).status).toBe(200);
  });

  it("says that it could not be loaded, as an event too", async () => {
    const id = await sharedText("broken.py");
    const failing = vi
      .spyOn(web.db.file_bodies, "findOne")
      .mockRejectedValueOnce(new MongoNetworkError("away"));
    expect((await stranger.show(`/share/${id}`)).status).toBe(503);
    failing.mockRestore();
    const share = { share_id: toEventShareName(id), request_id: expect.any(String) };
    expect(await web.events("share_view_error")).toMatchObject([
      { ...share, severity: "error", error: "MongoNetworkError" },
    ]);
    expect(await countViews(id)).toBe(0);
  });
});

describe("views", () => {
  it("are counted once per visit, and not for the owner, a HEAD, a prefetch, a raw text or a 404", async () => {
    const id = await sharedText("viewed.md", "# x\n");
    await stranger.show(`/share/${id}`);
    await noam.show(`/share/${id}?view=md`);
    expect(await countViews(id)).toBe(2);

    await dana.show(`/share/${id}`);
    expect((await stranger.page(`/share/${id}`, { method: "HEAD" })).status).toBe(200);
    const prefetches = { "Sec-Purpose": "prefetch;prerender", Purpose: "prefetch", "X-Moz": "prefetch" };
    for (const [name, value] of Object.entries(prefetches))
      await stranger.show(`/share/${id}`, { [name]: value });
    await raw(id);

    expect(await countViews(id)).toBe(2);
  });

  const open = (id: string, visitor = web.visitor(), password = "") =>
    visitor.press(`/share/${id}`, { intent: "open", password });

  it("that are limited are used up by opening, exactly as many as allowed, however many ask at once", async () => {
    const id = await sharedText("limited.md", "# secret words\n", { max_views: 3 });
    const before = await stranger.show(`/share/${id}`);
    expect(before.html).toContain("3 views left");
    expect(before.html).not.toMatch(/secret words|limited\.md/);
    expect(before.headers.get("Cache-Control")).toBe("private, no-store");

    const opened = await Promise.all(Array.from({ length: 12 }, () => open(id)));

    expect(opened.map(({ status }) => status).sort()).toEqual([...Array(3).fill(303), ...Array(9).fill(404)]);
    expect(opened.every(({ headers }) => headers.getSetCookie().length === 0)).toBe(true);
    const inside = required(opened.find(({ status }) => status === 303)?.location);
    const shown = await stranger.read(inside);
    expect(shown).toContain("secret words");
    const copied = required(/data-copy="([^"]*)"/.exec(shown)?.[1]).replaceAll("&amp;", "&");
    expect(await stranger.read(copied)).toBe("# secret words\n");
    for (const path of [`/share/${id}`, `/share/${id}/raw`])
      expect((await stranger.show(path)).status).toBe(404);
    expect(await countViews(id)).toBe(3);
    expect((await dana.show(`/share/${id}`)).status).toBe(200);
    expect((await later(16 * 60_000, () => stranger.show(inside))).status).toBe(404);
  });

  it("of a limited share are not used up by reading its raw text without opening", async () => {
    const id = await sharedText("closed.py", "secret", { max_views: 1 });
    const locked = { status: 403, body: { code: "share_locked" } };
    expect(await stranger.send("GET", `/share/${id}/raw`)).toMatchObject(locked);
    expect((await stranger.show(`/share/${id}/download`)).location).toBe(`/share/${id}`);
    expect(await readShare(id)).toMatchObject({ views: 0, views_left: 1 });
  });

  it("behind a password need it once in a browser, for that share alone", async () => {
    const lock = { password: "open sesame" };
    const id = await sharedText("locked.py", "behind_it = 1\n", lock);
    const other = await sharedText("other.py", "other = 1\n", lock);
    const reader = web.visitor();
    expect(await stranger.read(`/share/${id}`)).not.toMatch(/behind_it|locked\.py/);
    const wrong = await open(id, reader, "open says me");
    expect(wrong.status).toBe(403);
    expect(wrong.html).toMatch(/<form class="form" method="post">(?:(?!<\/form>).)*Wrong password\./s);

    const right = await open(id, reader, "open sesame");

    expect([right.status, right.location]).toEqual([303, `/share/${id}`]);
    expect(right.headers.getSetCookie()[0]).toContain(`Path=/share/${id}`);
    expect(await reader.read(`/share/${id}`)).toContain("behind_it");
    const cookie = required([...reader.cookies].find(([name]) => name.startsWith("share-")));
    reader.cookies.set(`share-${other}`, cookie[1]);
    expect(await reader.read(`/share/${other}`)).not.toContain("other = 1");
    expect(await stranger.read(`/share/${id}?key=forged`)).not.toContain("behind_it");
    expect((await readShare(id))?.password).not.toContain("sesame");
  });

  it("behind a password are guessed at ten times a minute at most, from wherever", async () => {
    const id = await sharedText("guessed.py", "x", { password: "open sesame" });
    const openRight = async () => (await open(id, web.visitor(), "open sesame")).status;
    // A right password does not count as a guess.
    for (let i = 0; i < 2; i += 1) expect(await openRight()).toBe(303);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => open(id, web.visitor(), "guess")));
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(10).fill(403), ...Array(2).fill(429)]);
    const refused = required(guesses.find(({ status }) => status === 429));
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await openRight()).toBe(429);
    expect(await later(60_000, openRight)).toBe(303);
  });
});

describe("saving a share", () => {
  const save = (body?: object, visitor = noam) => visitor.send("POST", "/api/shared/save", body);

  it("keeps Markdown as it is and anything else as a fenced block, under the given name or its own", async () => {
    const markdown = await sharedText("guide.md", "# Guide\n\ntext");
    const python = await sharedText("tool.py", "def f():\n    return 1\n");

    const saved = (await save({ share_id: markdown })).body;
    const fenced = (await save({ share_id: python })).body;
    const renamed = await save({ share_id: python, file_name: "mine" });

    const file_id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(saved).toEqual({ ok: true, file_id, file_name: "guide.md", version: 1 });
    expect(fenced).toMatchObject({ file_name: "tool.py.md", version: 1 });
    expect(renamed).toMatchObject({ status: 200, body: { file_name: "mine.md", version: 1 } });
    expect(await noam.read(`/download/${saved.file_id}`)).toBe("# Guide\n\ntext");
    expect(await noam.read(`/download/${fenced.file_id}`)).toBe("```python\ndef f():\n    return 1\n```\n");
    expect((await noam.show(`/md/${fenced.file_id}`)).status).toBe(200);
  });

  it("makes a new version of a name that is there", async () => {
    const id = await sharedText("versioned.md", "new\n");
    const existingId = await noam.saveFile("versioned.md", "old\n");
    expect((await save({ share_id: id })).body).toMatchObject({ file_id: existingId, version: 2 });
    expect(await noam.read(`/download/${existingId}`)).toBe("new\n");
    expect(await noam.read(`/download/${existingId}?v=1`)).toBe("old\n");
  });

  it("is refused for an unknown, ended or revoked share, which it names", async () => {
    const ended = await sharedText("e.md", "x", { expires_in_days: 1 });
    const revoked = await sharedText("r.md");
    await dana.send("DELETE", `/api/shares/${revoked}`);
    expect((await save({ share_id: ended })).status).toBe(200);
    await later(DAY_MS, async () => {
      for (const share_id of [UNKNOWN, "nonsense", revoked, ended])
        expect(await save({ share_id, file_name: "a/b" })).toMatchObject({
          status: 404,
          body: { error: "Share not found", code: "share_not_found", share_id },
        });
    });
  });

  it.each([
    ["under a name that is none", { file_name: "a/b.md" }, {}, 400, "Invalid file name"],
    ["of a preview", {}, { mode: "preview" }, 409, "Share has no full content"],
  ])("is refused %s", async (_, fields, wish, status, error) => {
    const before = await web.db.files.countDocuments({ user_id: noam.id });
    const share_id = await sharedText("named.md", "x", wish);
    expect(await save({ share_id, ...fields })).toMatchObject({ status, body: { error } });
    expect(await web.db.files.countDocuments({ user_id: noam.id })).toBe(before);
  });

  it("needs the password, and uses up a limited view", async () => {
    const share_id = await sharedText("both.md", "x\n", { password: "open sesame", max_views: 1 });
    expect((await save({ share_id })).body).toMatchObject({ code: "wrong_share_password" });
    expect((await save({ share_id, password: "open sesame" })).status).toBe(200);
    expect((await save({ share_id, password: "open sesame" })).status).toBe(404);
    expect((await save({ share_id }, dana)).status).toBe(200);
  });
});

describe("a link to several files", () => {
  const ask = (file_ids: string[], more: object = {}) =>
    dana.send("POST", "/api/files/create-share-link", { file_ids, ...more });
  const link = async (ids: string[], more: object = {}): Promise<string> =>
    required((await ask(ids, more)).body.token);

  it("ends after as many days as are asked for", async () => {
    const expires_at = "2038-11-14T12:00:00.000+00:00";
    const { status, body } = await ask([await dana.saveFile("one.py")], { expires_in_days: 365 });
    const token = expect.stringMatching(/^[\w-]{32}$/);
    const share_url = `${web.url}/shared/${body.token}`;
    expect([status, body]).toEqual([200, { success: true, share_url, token, expires_at }]);
  });

  it("lists the files as they were, shows each, and gives all as a zip", async () => {
    const ids = [await dana.saveFile("a.py", "a = 1\n"), await dana.saveFile("b.md", "# b\n")];
    const token = await link(ids);
    await dana.saveFile("a.py", "a = 2\n");

    const { html, headers } = await stranger.show(`/shared/${token}`);

    expect(html).toContain("2 shared files");
    expect(headers.get("X-Robots-Tag")).toContain("noindex");
    expect(html).toContain('<meta name="robots" content="noindex');
    for (const id of ids) expect(html).not.toContain(id);
    expect(await stranger.read(`/shared/${token}/1/raw`)).toBe("a = 1\n");
    expect(await stranger.read(`/shared/${token}/2?view=md`)).toContain('<h1 id="b"');
    const zip = await stranger.ask(`/shared/${token}/zip`);
    expect(zip.headers.get("Content-Type")).toBe("application/zip");
    expect(Object.keys(unzipSync(new Uint8Array(await zip.arrayBuffer())))).toEqual(["a.py", "b.md"]);
    for (const wrong of ["0", "3", "x", "01", "1/nonsense"])
      expect((await stranger.send("GET", `/shared/${token}/${wrong}`)).status).toBe(404);
    expect(await countViews(token)).toBe(1);
    expect((await noam.press(`/shared/${token}/1`, { intent: "save" })).location).toMatch(/^\/file\//);
    expect((await stranger.show(`/share/${token}`)).status).toBe(404);
  });

  it("continues without a deleted file, and is 404 without any, after its end and when revoked", async () => {
    const ids = [await dana.saveFile("first.py", "first\n"), await dana.saveFile("second.py", "second\n")];
    const token = await link(ids, { expires_in_days: 2 });
    await dana.send("POST", `/api/file/${ids[0]}/trash`);
    const html = await stranger.read(`/shared/${token}`);
    expect(html).toContain("second.py");
    expect(html).not.toContain("first.py");
    expect((await stranger.show(`/shared/${token}/1/raw`)).status).toBe(404);
    expect(await stranger.read(`/shared/${token}/2/raw`)).toBe("second\n");
    await dana.send("POST", `/api/trash/${ids[0]}/purge`);
    expect(await stranger.read(`/shared/${token}/2/raw`)).toBe("second\n");
    expect((await later(2 * DAY_MS, () => stranger.show(`/shared/${token}`))).status).toBe(404);
    await dana.send("POST", `/api/file/${ids[1]}/trash`);
    expect((await stranger.show(`/shared/${token}`)).status).toBe(404);
    await dana.send("POST", `/api/trash/${ids[1]}/purge`);
    expect(await readShare(token)).toBeNull();
    const shareIds = (await web.events("share_view_not_found")).map(({ share_id }) => share_id);
    expect(shareIds).toContain(`${token.slice(0, 8)}…`);
    expect(shareIds.join()).not.toContain(token);
  });

  it("is one link when the button is pressed twice, and another later or for other versions", async () => {
    const id = await dana.saveFile("pressed.py");
    const press = async () => {
      await dana.submit("/files/actions", { intent: "share", file_ids: id });
      return [...(await dana.read("/shares")).matchAll(/\/shared\/([\w-]{32})"/g)].length;
    };

    const pressed = await Promise.all([press(), press(), press()]);
    await dana.saveFile("pressed.py", "newer\n");
    const newer = await press();
    const afterwards = await later(60_000, press);

    expect(new Set(pressed).size).toBe(1);
    expect(new Set([pressed[0], newer, afterwards]).size).toBe(3);
  });
});

describe("the owner's list", () => {
  it("shows what is public, until when and how often it was viewed, to its owner only", async () => {
    const rina = await web.person();
    expect(await rina.read("/shares")).toContain("No links yet");
    const fileId = await rina.saveFile("mine <b>.py", "1\n2\n3\n");
    const id = await shared(fileId, { lines: "2-3", max_views: 4, password: "open sesame" }, rina);

    const html = await rina.read("/shares");

    for (const words of ["mine &lt;b&gt;.py", `/share/${id}`, "Nov 21, 2037", "0 of 4", "2-3", "password"])
      expect(html).toContain(words);
    const list = await rina.readJson("/api/shares");
    const share = { share_id: id, has_password: true, living: 1 };
    expect(list).toMatchObject({ ok: true, count: 1, shares: [share] });
    expect(JSON.stringify(list)).not.toContain(required((await readShare(id))?.password));
    expect(await noam.read("/shares")).not.toContain(id);
    await rina.send("POST", `/api/file/${fileId}/trash`);
    expect(await rina.read("/shares")).toContain("Not available: the file is in the trash.");
  });

  it("offers the code that embeds a file, as its public page does, and none where a frame cannot open it", async () => {
    const gil = await web.person();
    const fileId = await gil.saveFile("framed.py", "1\n2\n3\n");
    const id = await shared(fileId, { lines: "2" }, gil);
    const html = await gil.read("/shares");
    const code = /value="(&lt;iframe[^"]*)"/.exec(html)?.[1];
    expect(code).toContain(`/share/${id}/embed`);
    expect(await stranger.read(`/share/${id}`)).toContain(`value="${code}"`);
    expect(html.replace(/[\u2066-\u2069]/g, "")).toContain("line 2<");

    await gil.submit("/shares", { revoke: id });
    await shared(fileId, { max_views: 4 }, gil);
    expect(await gil.read("/shares")).not.toContain("&lt;iframe");
  });
});

describe("the form of a file", () => {
  const FIELDS = { content: "full", lines: "", lifetime: "30", max_views: "", password: "" };

  it("makes the described share, from the version and the lines in its address", async () => {
    const id = await dana.saveFile("formed.txt", "a\nb\nc\n", "new\n");
    expect(await dana.read(`/file/${id}/share?v=1&L=2-3`)).toContain('value="2-3"');

    const fields = { ...FIELDS, content: "lines", lines: "2-3", lifetime: "null" };
    const { status, location } = await dana.press(`/file/${id}/share?v=1`, fields);

    expect([status, location]).toEqual([303, `/file/${id}?v=1&L=2-3#L2`]);
    const html = await dana.read(`/file/${id}?v=1`);
    expect(html).toMatch(/<input[^>]*value="[^"]+\/share\/[\w-]{16}"/);
    const share = required(/data-copy-text="[^"]+\/share\/([\w-]{16})"/.exec(html)?.[1]);
    expect(await raw(share)).toBe("b\nc\n");
    expect(await readShare(share)).toMatchObject({ expires_at: null, files: [{ version: 1 }] });
  });

  it.each([
    [{ content: "lines", lines: "9" }, "have these lines"],
    [{ max_views: "0" }, "Enter a number from 1"],
    [{ password: "short" }, "6 to 200 characters"],
    [{ lifetime: "2" }, "is not valid"],
  ])("comes back with %j and says why", async (fields, words) => {
    const typed = { ...FIELDS, content: "preview", ...fields };
    const { status, html } = await dana.press(`/file/${await dana.saveFile("typed.txt")}/share`, typed);
    expect(status).toBe(400);
    expect(html).toContain(words);
    if (!("lifetime" in fields)) expect(html).toContain('<option value="30" selected="">');
  });

  it("sent twice is one share, and another choice or a revoked one makes another", async () => {
    const path = `/file/${await dana.saveFile("twice.py")}/share`;
    const form_key = required(/name="form_key" value="([^"]+)"/.exec(await dana.read(path))?.[1]);
    const fields = { ...FIELDS, lifetime: "7", password: "sesame", form_key };
    const headers = { Accept: "application/json", "Sec-Fetch-Site": "same-origin" };
    const send = async (more: object = {}): Promise<string> =>
      (await dana.send("POST", path, new URLSearchParams({ ...fields, ...more }), headers)).body.share_id;

    const clicks = await Promise.all([send(), send(), send()]);
    const again = await send();
    const preview = await send({ content: "preview" });
    await dana.submit("/shares", { revoke: again });
    const anew = await send();

    expect(new Set([...clicks, again]).size).toBe(1);
    expect(new Set([again, preview, anew]).size).toBe(3);
    expect(await web.db.shares.countDocuments({ "files.file_name": "twice.py" })).toBe(2);
    expect(JSON.stringify(await readShare(anew))).not.toContain(form_key);
  });
});

describe("embedding", () => {
  const linked = async (...names: string[]): Promise<string> => {
    const file_ids = await Promise.all(names.map((name) => dana.saveFile(name)));
    return (await dana.send("POST", "/api/files/create-share-link", { file_ids })).body.token;
  };
  const oembed = (url: string, more = "") =>
    stranger.send("GET", `/oembed?url=${encodeURIComponent(url)}${more}`);

  it("gives any site a page for its frames, which sets no cookie, requests nothing and links to the share", async () => {
    const id = await sharedText("framed.py", "x = '<b>'\n");
    const token = await linked("one.py", "two.py");

    for (const path of [`/share/${id}`, `/shared/${token}/2`]) {
      const { status, headers, html } = await stranger.show(`${path}/embed?theme=dark`);

      expect(status).toBe(200);
      expect(headers.get("X-Frame-Options")).toBeNull();
      expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; .*frame-ancestors \*$/);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(html).toContain('data-theme="dark"');
      expect(html).toContain(`href="${path}" target="_blank"`);
      expect(html).not.toMatch(/<form|<link|<img|src=/);
    }
    const framed = await stranger.read(`/share/${id}/embed`);
    expect(framed).toContain('data-theme="system"');
    expect(framed).toContain("&lt;b&gt;");
    expect(framed).not.toContain("<b>");
    // One view above, and one here.
    expect(await countViews(id)).toBe(2);
  });

  it("sets no cookie for its owner either, and leaves every other page of the share unframed", async () => {
    const id = await sharedText("own-frame.py");
    const [framed, shown] = [await dana.show(`/share/${id}/embed`), await dana.show(`/share/${id}`)];

    expect([framed.status, framed.headers.getSetCookie()]).toEqual([200, []]);
    expect(shown.headers.get("X-Frame-Options")).toBe("DENY");
    expect(shown.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });

  it("counts lines from where the share begins, and shows the beginning of a long text", async () => {
    const text = Array.from({ length: 1_500 }, (_, i) => `line_${i + 1} = ${i + 1}\n`).join("");
    const wholeText = await stranger.read(`/share/${await sharedText("long.py", text)}/embed`);
    const excerpt = await stranger.read(
      `/share/${await sharedText("part.py", text, { lines: "7-9" })}/embed`,
    );

    expect(wholeText).toContain('id="L1000"');
    expect(wholeText).not.toContain('id="L1001"');
    expect(wholeText).toContain("Only the beginning is shown.");
    expect([...excerpt.matchAll(/id="L(\d+)"/g)].map(([, n]) => n)).toEqual(["7", "8", "9"]);
    expect(excerpt).not.toContain("Only the beginning is shown.");
  });

  it.each([
    ["a password", { password: "sesame" }],
    ["a limit of views", { max_views: 3 }],
  ])("shows no content of a link with %s", async (_, wish) => {
    const id = await sharedText("closed.py", "secret = 1\n", wish);

    const { status, html, headers } = await stranger.show(`/share/${id}/embed`);

    expect(status).toBe(403);
    expect(html).toContain(`href="/share/${id}"`);
    expect(html).not.toMatch(/closed\.py|secret/);
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect((await oembed(`${web.url}/share/${id}`)).status).toBe(401);
    expect(await stranger.read(`/share/${id}`)).not.toContain("oembed");
  });

  it("says in the frame that a link has ended", async () => {
    const { status, html, headers } = await stranger.show(`/share/${UNKNOWN}/embed`);
    expect([status, headers.get("Cache-Control")]).toEqual([404, "no-store"]);
    expect(html).toContain("no longer available");
  });

  it("is offered on the page of the share as code, and by oEmbed, which its head names", async () => {
    const id = await sharedText('a"b.py', "1\n2\n3\n");
    const html = await stranger.read(`/share/${id}`);
    const link = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(html)?.[1];
    const offered = await stranger.readJson(required(link).replaceAll("&amp;", "&").replace(web.url, ""));

    expect(offered).toEqual({
      version: "1.0",
      type: "rich",
      title: 'a"b.py',
      provider_name: "Codeshelf",
      provider_url: web.url,
      width: 720,
      height: 148,
      html: `<iframe src="${web.url}/share/${id}/embed" title="a&quot;b.py" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" style="width:100%;max-width:720px;height:148px;border:0"></iframe>`,
    });
    expect(html).toContain(`&lt;iframe src=&quot;${web.url}/share/${id}/embed&quot;`);
    const small = await oembed(`${web.url}/share/${id}`, "&maxwidth=300&maxheight=100");
    expect(small.body).toMatchObject({ width: 300, height: 100 });
  });

  it("answers oEmbed for pages of shared files alone, and in JSON alone", async () => {
    const id = await sharedText("asked.py");
    const token = await linked("three.py", "four.py");
    const good = `${web.url}/share/${id}`;

    for (const [url, status, more] of [
      [`${good}?view=source`, 200],
      [`${web.url}/shared/${token}/1`, 200],
      [good, 501, "&format=xml"],
      [`${web.url}/share/${UNKNOWN}`, 404],
      [`${web.url}/shared/${token}`, 404],
      [`${web.url}/shared/${token}/9`, 404],
      [`https://example.org/share/${id}`, 404],
      [`${web.url}/files`, 404],
      ["nonsense", 404],
    ] as const)
      expect((await oembed(url, more)).status, url).toBe(status);
    const readCode = async (path: string) => (await oembed(`${web.url}/shared/${path}`)).body.code;
    expect([await readCode(token), await readCode(`${token}x`)]).toEqual([
      "folder_not_embeddable",
      "share_not_found",
    ]);
    expect((await stranger.send("GET", "/oembed")).status).toBe(400);
  });
});
