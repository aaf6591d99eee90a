import { MongoNetworkError } from "mongodb";
import { describe, expect, it, vi } from "vitest";
import { required } from "#domain/required.ts";
import { shareInEvents } from "#domain/shares/share.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "10000",
});
const dana = await web.visitor().logIn("70");
const noam = await web.visitor().logIn("71");
const stranger = web.visitor();
const ABSENT = "0".repeat(24);
const UNKNOWN = "A".repeat(16);
const NOON = web.clock();

const post = (visitor: Visitor, path: string, body?: unknown) =>
  visitor.ask(path, { method: "POST", body: body === undefined ? undefined : JSON.stringify(body) });
const answer = async (visitor: Visitor, path: string, body?: unknown) => {
  const response = await post(visitor, path, body);
  return [response.status, await response.json()] as const;
};
const saved = async (visitor: Visitor, name: string, body = "x = 1\n"): Promise<string> =>
  (await (await visitor.ask(`/api/files/${encodeURIComponent(name)}`, { method: "PUT", body })).json())
    .file_id;

async function shared(fileId: string, wish: object = {}, visitor = dana): Promise<string> {
  const [status, made] = await answer(visitor, `/api/share/${fileId}`, wish);
  expect([status, made]).toEqual([200, expect.objectContaining({ ok: true })]);
  return made.share_id;
}
const sharedText = async (name: string, body?: string, wish?: object) =>
  shared(await saved(dana, name, body), wish);

const page = async (path: string, visitor = stranger) => {
  const response = await visitor.page(path);
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const raw = async (id: string) => (await stranger.ask(`/share/${id}/raw`)).text();
const countViews = async (id: string) => (await web.db.shares.findOne({ _id: id }))?.views;
/** Runs with the clock moved on, whoever is logged in staying so. */
async function later<T>(ms: number, look: () => Promise<T>): Promise<T> {
  web.clock.set(new Date(NOON.getTime() + ms));
  try {
    return await look();
  } finally {
    web.clock.set(NOON);
  }
}

describe("sharing a file", () => {
  it("answers with its address, its id of 16 characters and its end in a week", async () => {
    const id = await saved(dana, "shared.py");

    const [status, made] = await answer(dana, `/api/share/${id}`, { mode: "full" });

    expect(status).toBe(200);
    expect(made).toEqual({
      ok: true,
      url: `${web.url}/share/${made.share_id}`,
      share_id: expect.stringMatching(/^[\w-]{16}$/),
      expires_at: "2037-11-21T12:00:00.000+00:00",
    });
    expect((await stranger.page(new URL(made.url).pathname)).status).toBe(200);
  });

  it.each([
    [{ expires_in_days: 1 }, "2037-11-15T12:00:00.000+00:00"],
    [{ expires_in_days: 365 }, "2038-11-14T12:00:00.000+00:00"],
    [{ expires_at: "2037-11-14T12:00:01Z" }, "2037-11-14T12:00:01.000+00:00"],
    [{ expires_at: "2038-11-14T14:00:00+02:00" }, "2038-11-14T12:00:00.000+00:00"],
    [{ permanent: true }, null],
    [{ permanent: false }, "2037-11-21T12:00:00.000+00:00"],
    [undefined, "2037-11-21T12:00:00.000+00:00"],
  ])("with %j ends at %s", async (wish, expires_at) => {
    const id = await saved(dana, "ends.py");
    expect(await answer(dana, `/api/share/${id}`, wish)).toEqual([
      200,
      expect.objectContaining({ expires_at }),
    ]);
  });

  it.each([
    ["a mode of its own", { mode: "half" }, "invalid_payload"],
    ["no days", { expires_in_days: 0 }, "invalid_payload"],
    ["too many days", { expires_in_days: 366 }, "invalid_payload"],
    ["half a day", { expires_in_days: 0.5 }, "invalid_payload"],
    ["an end and none", { expires_in_days: 3, permanent: true }, "invalid_payload"],
    ["an end at once", { expires_at: "2037-11-14T12:00:00Z" }, "invalid_share_end"],
    ["an end too far ahead", { expires_at: "2038-11-14T12:00:00.001Z" }, "invalid_share_end"],
    ["an end that is no moment", { expires_at: "2038-01-01" }, "invalid_payload"],
    ["two ends", { expires_at: "2038-01-01T00:00:00Z", expires_in_days: 3 }, "invalid_payload"],
    ["a moment and no end", { expires_at: "2038-01-01T00:00:00Z", permanent: true }, "invalid_payload"],
    ["a field nobody knows", { modus: "full" }, "invalid_payload"],
    ["no object", [], "invalid_payload"],
    ["no JSON", "{", "invalid_payload"],
    ["no views", { max_views: 0 }, "invalid_payload"],
    ["lines it does not have", { lines: "1-2" }, "invalid_share_lines"],
    ["words for lines", { lines: "all" }, "invalid_share_lines"],
    ["a short password", { password: "12345" }, "invalid_share_password"],
  ])("refuses %s", async (_, wish, error) => {
    const id = await saved(dana, "refused.py");
    const before = await web.db.shares.countDocuments({});
    expect(await answer(dana, `/api/share/${id}`, wish)).toEqual([400, expect.objectContaining({ error })]);
    expect(await web.db.shares.countDocuments({})).toBe(before);
  });

  it("is 404 for a missing, malformed, foreign or deleted file and for a version it does not have", async () => {
    const [foreign, deleted, mine] = [
      await saved(noam, "noams.py"),
      await saved(dana, "deleted.py"),
      await saved(dana, "mine.py"),
    ];
    await post(dana, `/api/file/${deleted}/trash`);
    for (const file_id of [ABSENT, "nonsense", foreign, deleted])
      expect(await answer(dana, `/api/share/${file_id}`, {})).toEqual([
        404,
        expect.objectContaining({ error: "File not found", file_id }),
      ]);
    expect((await answer(dana, `/api/share/${mine}`, { version: 2 }))[0]).toBe(404);
    expect((await answer(web.visitor(), `/api/share/${mine}`, {}))[0]).toBe(401);
    expect((await post(dana, `/api/share/${mine}`, {})).status).toBe(200);
  });

  it("shows one version for good: edits, new names and other versions change nothing", async () => {
    const id = await saved(dana, "snapshot.py", "first = 1\n");
    const first = await shared(id);
    await saved(dana, "snapshot.py", "second = 2\n");
    const [second, again] = [await shared(id), await shared(id, { version: 1 })];
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: "renamed.py", text: "third\n", version: "2" }))
      form.append(name, value);
    const edited = await dana.submit(`/edit/${id}`, form);
    expect(edited.status).toBeLessThan(400);

    expect([await raw(first), await raw(second), await raw(again)]).toEqual([
      "first = 1\n",
      "second = 2\n",
      "first = 1\n",
    ]);
    expect((await page(`/share/${first}`)).html).toContain("snapshot.py");
  });

  it("shows a range of lines under their own numbers, and a preview without the rest", async () => {
    const body = Array.from({ length: 40 }, (_, i) => `row_${i + 1}`).join("\n");
    const [range, preview] = [
      await sharedText("lines.txt", body, { lines: "30-31" }),
      await sharedText("lines.txt", body, { mode: "preview" }),
    ];
    expect(await raw(range)).toBe("row_30\nrow_31\n");
    const { html } = await page(`/share/${range}`);
    expect(html).toContain('id="L30"');
    expect(html).not.toContain("row_32");
    const shown = (await page(`/share/${preview}`)).html;
    expect(shown).toContain("row_20");
    expect(shown).toContain("Only the first lines are shared.");
    for (const text of [shown, await raw(preview)]) expect(text).not.toContain("row_21");
  });
});

describe("the public page", () => {
  it("is inert, not to be indexed, kept for seconds, and leaves no cookie", async () => {
    const id = await sharedText("notes.md", "# Title\n\n<script>alert(1)</script> <b onclick=x>words</b>\n");

    for (const path of [`/share/${id}`, `/share/${id}?view=md`, `/share/${id}?view=source`]) {
      const { status, headers, html } = await page(path);
      expect(status).toBe(200);
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(html).toContain('<meta name="robots" content="noindex');
      expect(headers.get("Cache-Control")).toBe("public, max-age=10");
      expect(headers.get("Vary")).toContain("Cookie");
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(html).not.toContain("<script>alert");
      expect(html).not.toContain("<b onclick");
    }
    for (const path of [`/share/${id}`, `/share/${id}?view=md`])
      expect((await page(path)).html).toContain('<h1 id="title"');
    expect((await page(`/share/${id}?view=source`)).html).not.toContain('<h1 id="title"');
  });

  it("gives the exact bytes, to read and to download, never as a document", async () => {
    const id = await sharedText("שלום 🙂.html", "<script>alert(1)</script>\r\n");
    for (const [form, disposition] of [
      ["raw", "inline"],
      ["download", "attachment;"],
    ]) {
      const response = await stranger.ask(`/share/${id}/${form}`);
      expect(await response.text()).toBe("<script>alert(1)</script>\r\n");
      expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
      expect(response.headers.get("Content-Disposition")).toContain(disposition);
      expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
      expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(response.headers.get("X-Robots-Tag")).toContain("noindex");
    }
    expect((await stranger.ask(`/share/${id}/nonsense`)).status).toBe(404);
  });

  it("shows only Markdown as Markdown", async () => {
    const id = await sharedText("plain.py");
    const response = await stranger.page(`/share/${id}?view=md`);
    expect([response.status, response.headers.get("Location")]).toEqual([302, `/share/${id}`]);
    const asScript = await stranger.ask(`/share/${id}?view=md`);
    expect([asScript.status, (await asScript.json()).code]).toEqual([415, "unsupported_view"]);
    expect(await countViews(id)).toBe(0);
  });

  const POLICY =
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script><rect width="9" height="9"/></svg>';

  it.each([
    ["html", "<h1>Hi</h1><script>alert(1)</script><p onclick='x()'>there</p>", "text/html", "<iframe"],
    ["svg", SVG, "image/svg+xml", "<img"],
  ])("shows %s as what it describes, inert, beside its source", async (kind, text, type, element) => {
    const id = await sharedText(`pictured.${kind}`, text);

    const source = await page(`/share/${id}`);
    const view = await page(`/share/${id}?view=${kind}`);
    const inside = await stranger.ask(`/share/${id}/${kind}`);

    expect(source.html).toContain(`href="/share/${id}?view=${kind}"`);
    expect(source.html).not.toContain(`src="/share/${id}/${kind}"`);
    expect(view.html).toMatch(new RegExp(`${element} [^>]*src="/share/${id}/${kind}"`));
    if (kind === "html") expect(view.html).toContain('sandbox=""');
    expect(inside.headers.get("Content-Type")).toBe(`${type}; charset=utf-8`);
    expect(inside.headers.get("Content-Security-Policy")).toBe(POLICY);
    const carried = ["X-Frame-Options", "Referrer-Policy", "Cache-Control", "X-Content-Type-Options"];
    expect(carried.map((name) => inside.headers.get(name))).toEqual([
      "SAMEORIGIN",
      "no-referrer",
      "no-store",
      "nosniff",
    ]);
    expect(inside.headers.get("X-Robots-Tag")).toContain("noindex");
    expect(await inside.text()).not.toMatch(/script|onclick/);
    expect(await countViews(id)).toBe(2);
  });

  it("shows no more of a page than is shared, and of a drawing that is cut off the source and why", async () => {
    const text = Array.from({ length: 40 }, (_, i) => `<p>line ${i + 1}</p>\n`).join("");
    const begun = await sharedText("begun.html", text, { mode: "preview" });
    const cut = await sharedText("cut.svg", '<svg xmlns="http://www.w3.org/2000/svg">\n<g>\n</g>\n</svg>\n', {
      lines: "2-3",
    });

    const inside = await (await stranger.ask(`/share/${begun}/html`)).text();
    const drawing = await page(`/share/${cut}?view=svg`);

    expect([inside.includes("line 20"), inside.includes("line 21")]).toEqual([true, false]);
    expect(drawing.html).toContain('role="alert"');
    expect(drawing.html).not.toContain(`src="/share/${cut}/svg"`);
  });

  it("has a view of its own kind alone, and none before it is opened", async () => {
    const python = await sharedText("plain.py");
    const locked = await sharedText("locked.html", "<p>behind it</p>", { password: "open sesame" });

    for (const kind of ["html", "svg"]) {
      expect((await stranger.ask(`/share/${python}/${kind}`)).status).toBe(404);
      expect((await stranger.ask(`/share/${python}?view=${kind}`)).status).toBe(415);
    }
    const closed = await stranger.ask(`/share/${locked}/html`);
    expect([closed.status, (await closed.text()).includes("behind it")]).toEqual([403, false]);
  });

  it("tells strangers nothing of the library it is from", async () => {
    const fileId = await saved(dana, "secret-tags.py");
    await dana.submit("/files/actions", {
      intent: `describe:${fileId}`,
      description: "inner words",
      tags: "inner",
    });
    const { html } = await page(`/share/${await shared(fileId)}`);
    for (const inner of [fileId, "inner words", ">inner<", "Dana"]) expect(html).not.toContain(inner);
  });

  it("is one and the same 404 for what never was, has ended, was revoked or lies in the trash", async () => {
    const [ended, revoked, fileId] = [
      await sharedText("ended.py", "x", { expires_in_days: 1 }),
      await sharedText("revoked.py"),
      await saved(dana, "trashed.py"),
    ];
    const trashed = await shared(fileId);
    for (const id of [ended, revoked, trashed]) expect((await page(`/share/${id}`)).status).toBe(200);
    expect((await dana.ask(`/api/shares/${revoked}`, { method: "DELETE" })).status).toBe(200);
    await post(dana, `/api/file/${fileId}/trash`);
    const known = (await web.events("share_view_not_found")).length;

    const found = await later(DAY_MS, () =>
      Promise.all(
        [ended, revoked, trashed, UNKNOWN, "short", "x".repeat(300)].map((id) => page(`/share/${id}`)),
      ),
    );

    const pages = found.map(({ html }) => html.replace(/<code dir="ltr">\w+<\/code>|nonce="[^"]*"/g, ""));
    expect(found.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect(new Set(pages.map((html) => html.replace(/\/share\/[\w-]+/g, ""))).size).toBe(1);
    const events = (await web.events("share_view_not_found")).slice(known);
    expect(events).toHaveLength(6);
    expect(events.map(({ share_id }) => share_id)).toContain(shareInEvents(ended));
    const script = await stranger.ask(`/share/${UNKNOWN}`);
    expect(await script.json()).toMatchObject({ error: "Share not found", share_id: UNKNOWN });
    expect((await stranger.ask(`/share/${UNKNOWN}/raw`)).status).toBe(404);
    await post(dana, `/api/trash/${fileId}/restore`);
    expect((await page(`/share/${trashed}`)).status).toBe(200);
  });

  it("leaves ten records and a count, however many addresses a stranger makes up", async () => {
    const known = (await web.events("share_view_not_found")).length;

    await later(9 * DAY_MS, async () => {
      for (let i = 0; i < 20; i += 1) {
        expect((await stranger.ask(`/share/made-up-${i}`)).status).toBe(404);
        expect((await stranger.ask(`/shared/made-up-${i}`)).status).toBe(404);
      }
    });

    expect(await web.events("share_view_not_found")).toHaveLength(known + 10);
    const at = new Date(web.clock().getTime() + 9 * DAY_MS).toISOString();
    const counted = await web.db.event_counts.findOne({ _id: `minute ${at}` });
    expect(counted?.counts).toMatchObject({ share_view_not_found: 40 });
  });

  it("says that it could not be loaded, as an event too", async () => {
    const id = await sharedText("broken.py");
    const failing = vi
      .spyOn(web.db.file_bodies, "findOne")
      .mockRejectedValueOnce(new MongoNetworkError("away"));
    expect((await page(`/share/${id}`)).status).toBe(503);
    failing.mockRestore();
    expect(await web.events("share_view_error")).toMatchObject([
      {
        share_id: shareInEvents(id),
        severity: "error",
        error: "MongoNetworkError",
        request_id: expect.any(String),
      },
    ]);
    expect(await countViews(id)).toBe(0);
  });
});

describe("views", () => {
  it("are counted once for each look, and not for the owner, a HEAD, a prefetch, a raw text or a 404", async () => {
    const id = await sharedText("viewed.md", "# x\n");
    await page(`/share/${id}`);
    await noam.page(`/share/${id}?view=md`);
    expect(await countViews(id)).toBe(2);

    await dana.page(`/share/${id}`);
    expect((await stranger.page(`/share/${id}`, { method: "HEAD" })).status).toBe(200);
    for (const [name, value] of [
      ["Sec-Purpose", "prefetch;prerender"],
      ["Purpose", "prefetch"],
      ["X-Moz", "prefetch"],
    ] as const)
      await stranger.page(`/share/${id}`, { headers: { [name]: value } });
    await raw(id);

    expect(await countViews(id)).toBe(2);
  });

  const open = (id: string, visitor = web.visitor(), password = "") =>
    visitor.submit(`/share/${id}`, { intent: "open", password });

  it("that are limited are used up by opening: as many as there are, however many ask at once", async () => {
    const id = await sharedText("limited.md", "# secret words\n", { max_views: 3 });
    const before = await page(`/share/${id}`);
    expect(before.html).toContain("3 views left");
    expect(before.html).not.toMatch(/secret words|limited\.md/);
    expect(before.headers.get("Cache-Control")).toBe("private, no-store");

    const opened = await Promise.all(Array.from({ length: 12 }, () => open(id)));

    expect(opened.map(({ status }) => status).sort()).toEqual([...Array(3).fill(303), ...Array(9).fill(404)]);
    const [inside] = opened
      .filter(({ status }) => status === 303)
      .map(({ headers }) => required(headers.get("Location")));
    expect(opened.every(({ headers }) => headers.getSetCookie().length === 0)).toBe(true);
    const shown = await page(required(inside));
    expect(shown.html).toContain("secret words");
    const rawAddress = required(required(/data-copy="([^"]*)"/.exec(shown.html))[1]).replaceAll("&amp;", "&");
    expect(await (await stranger.ask(rawAddress)).text()).toBe("# secret words\n");
    expect((await page(`/share/${id}`)).status).toBe(404);
    expect((await stranger.ask(`/share/${id}/raw`)).status).toBe(404);
    expect(await countViews(id)).toBe(3);
    expect((await dana.page(`/share/${id}`)).status).toBe(200);
    expect((await later(16 * 60_000, () => page(required(inside)))).status).toBe(404);
  });

  it("of a limited share are not used up by reading its raw text without opening", async () => {
    const id = await sharedText("closed.py", "secret", { max_views: 1 });
    const script = await stranger.ask(`/share/${id}/raw`);
    expect([script.status, (await script.json()).code]).toEqual([403, "share_locked"]);
    expect((await stranger.page(`/share/${id}/download`)).headers.get("Location")).toBe(`/share/${id}`);
    expect(await web.db.shares.findOne({ _id: id })).toMatchObject({ views: 0, views_left: 1 });
  });

  it("behind a password need it once in a browser, for that share alone", async () => {
    const [id, other] = [
      await sharedText("locked.py", "behind_it = 1\n", { password: "open sesame" }),
      await sharedText("other.py", "other = 1\n", { password: "open sesame" }),
    ];
    const reader = web.visitor();
    expect((await page(`/share/${id}`)).html).not.toMatch(/behind_it|locked\.py/);
    const wrong = await open(id, reader, "open says me");
    expect(wrong.status).toBe(403);
    expect(await wrong.text()).toMatch(
      /<form class="form" method="post">(?:(?!<\/form>).)*Wrong password\./s,
    );

    const right = await open(id, reader, "open sesame");

    expect([right.status, right.headers.get("Location")]).toEqual([303, `/share/${id}`]);
    expect(right.headers.getSetCookie()[0]).toContain(`Path=/share/${id}`);
    expect((await page(`/share/${id}`, reader)).html).toContain("behind_it");
    const cookie = required([...reader.cookies].find(([name]) => name.startsWith("share-")));
    reader.cookies.set(`share-${other}`, cookie[1]);
    expect((await page(`/share/${other}`, reader)).html).not.toContain("other = 1");
    expect((await page(`/share/${id}?key=forged`)).html).not.toContain("behind_it");
    expect(required(await web.db.shares.findOne({ _id: id })).password).not.toContain("sesame");
  });

  it("behind a password are guessed at ten times a minute at most, from wherever", async () => {
    const id = await sharedText("guessed.py", "x", { password: "open sesame" });
    const guesses = await Promise.all(Array.from({ length: 14 }, () => open(id, web.visitor(), "guess")));
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...Array(10).fill(403),
      ...Array(4).fill(429),
    ]);
    const refused = required(guesses.find(({ status }) => status === 429));
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await open(id, web.visitor(), "open sesame")).status).toBe(429);
    await later(60_000, async () => {
      for (let i = 0; i < 11; i += 1) expect((await open(id, web.visitor(), "open sesame")).status).toBe(303);
    });
  });
});

describe("saving a share", () => {
  const save = (body?: unknown, visitor = noam) => answer(visitor, "/api/shared/save", body);
  const textOf = async (id: string) => (await noam.ask(`/download/${id}`)).text();

  it("keeps Markdown as it is and anything else as a fenced block, under the given name or its own", async () => {
    const [markdown, python] = [
      await sharedText("guide.md", "# Guide\n\ntext"),
      await sharedText("tool.py", "def f():\n    return 1\n"),
    ];
    const [status, first] = await save({ share_id: markdown });
    expect([status, first]).toEqual([
      200,
      { ok: true, file_id: expect.stringMatching(/^[0-9a-f]{24}$/), file_name: "guide.md", version: 1 },
    ]);
    expect(await textOf(first.file_id)).toBe("# Guide\n\ntext");
    const [, fenced] = await save({ share_id: python });
    expect(fenced).toMatchObject({ file_name: "tool.py.md", version: 1 });
    expect(await textOf(fenced.file_id)).toBe("```python\ndef f():\n    return 1\n```\n");
    expect(await save({ share_id: python, file_name: "mine" })).toEqual([
      200,
      expect.objectContaining({ file_name: "mine.md", version: 1 }),
    ]);
    expect((await noam.page(`/md/${fenced.file_id}`)).status).toBe(200);
  });

  it("makes a new version of a name that is there", async () => {
    const id = await sharedText("versioned.md", "new\n");
    const there = await saved(noam, "versioned.md", "old\n");
    expect(await save({ share_id: id })).toEqual([
      200,
      { ok: true, file_id: there, file_name: "versioned.md", version: 2 },
    ]);
    expect(await textOf(there)).toBe("new\n");
    expect(await (await noam.ask(`/download/${there}?v=1`)).text()).toBe("old\n");
  });

  it.each([[undefined], [{}], [{ share_id: "" }], [{ share_id: null }], [{ share_id: { $ne: null } }]])(
    "is refused without a share: %j",
    async (body) => {
      expect(await save(body)).toEqual([400, expect.objectContaining({ error: "Missing share_id" })]);
    },
  );

  it.each([[[]], ["text"], [7]])("is refused for what is no object: %j", async (body) => {
    expect(await save(body)).toEqual([400, expect.objectContaining({ error: "invalid_payload" })]);
  });

  it("is refused for an unknown, ended or revoked share, which it names", async () => {
    const [ended, revoked] = [
      await sharedText("e.md", "x", { expires_in_days: 1 }),
      await sharedText("r.md"),
    ];
    await dana.ask(`/api/shares/${revoked}`, { method: "DELETE" });
    for (const share_id of [UNKNOWN, "nonsense", revoked])
      expect(await save({ share_id, file_name: "a/b" })).toEqual([
        404,
        { error: "Share not found", code: "share_not_found", share_id },
      ]);
    expect((await save({ share_id: ended }))[0]).toBe(200);
    expect(await later(DAY_MS, () => save({ share_id: ended }))).toEqual([
      404,
      expect.objectContaining({ error: "Share not found", share_id: ended }),
    ]);
  });

  it.each(["", " ", "a/b.md", "a\\b.md", "a\n.md", "a.py", "x".repeat(256), 7, null, ["a.md"]])(
    "is refused under the name %j",
    async (file_name) => {
      const share_id = await sharedText("named.md", "x");
      const before = await web.db.files.countDocuments({ user_id: "71" });
      expect(await save({ share_id, file_name })).toEqual([
        400,
        expect.objectContaining({ error: "Invalid file name" }),
      ]);
      expect(await web.db.files.countDocuments({ user_id: "71" })).toBe(before);
    },
  );

  it("is refused for a preview, and for whoever is not logged in", async () => {
    const share_id = await sharedText("preview.md", "x", { mode: "preview" });
    expect(await save({ share_id })).toEqual([
      409,
      expect.objectContaining({ error: "Share has no full content" }),
    ]);
    const [status, body] = await save({ share_id }, web.visitor());
    expect([status, body]).toEqual([
      401,
      expect.objectContaining({ error: "Authentication required", redirect: "/login" }),
    ]);
    expect((await noam.ask("/api/shared/save")).status).toBe(405);
  });

  it("needs the password, and uses up a limited view", async () => {
    const share_id = await sharedText("both.md", "x\n", { password: "open sesame", max_views: 1 });
    expect((await save({ share_id }))[1]).toMatchObject({ code: "wrong_share_password" });
    expect((await save({ share_id, password: "open sesame" }))[0]).toBe(200);
    expect((await save({ share_id, password: "open sesame" }))[0]).toBe(404);
    expect((await save({ share_id }, dana))[0]).toBe(200);
  });

  it("is one press on the page, and logging in first leads back to it", async () => {
    const id = await sharedText("pressed.md", "# pressed\n");
    const [anonymous, reader] = [await page(`/share/${id}`), await page(`/share/${id}`, noam)];
    expect(anonymous.html).toContain(`/login?next=${encodeURIComponent(`/share/${id}`)}`);
    expect(reader.html).toContain('value="save"');
    expect((await page(`/share/${id}`, dana)).html).not.toContain('value="save"');
    const late = await stranger.submit(`/share/${id}`, { intent: "save" });
    expect(late.headers.get("Location")).toBe(`/login?next=${encodeURIComponent(`/share/${id}`)}`);

    const pressed = await noam.submit(`/share/${id}`, { intent: "save" });

    expect([pressed.status, pressed.headers.get("Location")]).toEqual([
      303,
      expect.stringMatching(/^\/file\/[0-9a-f]{24}$/),
    ]);
    expect(await textOf(required(pressed.headers.get("Location")).slice("/file/".length))).toBe(
      "# pressed\n",
    );
  });
});

describe("a link to several files", () => {
  const link = async (ids: string[], more: object = {}) => {
    const [status, made] = await answer(dana, "/api/files/create-share-link", { file_ids: ids, ...more });
    expect(status).toBe(200);
    return made;
  };

  it.each([
    [{}, "2037-11-21T12:00:00.000+00:00"],
    [{ expires_in_days: 1 }, "2037-11-15T12:00:00.000+00:00"],
    [{ expires_in_days: 365 }, "2038-11-14T12:00:00.000+00:00"],
    [{ expires_in_days: null }, "2037-11-21T12:00:00.000+00:00"],
  ])("with %j ends at %s", async (more, expires_at) => {
    const made = await link([await saved(dana, "one.py")], more);
    expect(made).toEqual({
      success: true,
      share_url: `${web.url}/shared/${made.token}`,
      token: expect.stringMatching(/^[\w-]{32}$/),
      expires_at,
    });
  });

  it.each([0, 366, 1.5, "7", true])("refuses %j days", async (expires_in_days) => {
    const file_ids = [await saved(dana, "one.py")];
    expect(await answer(dana, "/api/files/create-share-link", { file_ids, expires_in_days })).toEqual([
      400,
      expect.objectContaining({ success: false, error: "invalid_payload", field: "expires_in_days" }),
    ]);
  });

  it("lists the files as they were, shows each, and gives all as a zip", async () => {
    const ids = [await saved(dana, "a.py", "a = 1\n"), await saved(dana, "b.md", "# b\n")];
    const { token } = await link(ids);
    await saved(dana, "a.py", "a = 2\n");

    const { html, headers } = await page(`/shared/${token}`);

    expect(html).toContain("2 shared files");
    expect(headers.get("X-Robots-Tag")).toContain("noindex");
    expect(html).toContain('<meta name="robots" content="noindex');
    for (const id of ids) expect(html).not.toContain(id);
    expect(await (await stranger.ask(`/shared/${token}/1/raw`)).text()).toBe("a = 1\n");
    expect((await page(`/shared/${token}/2?view=md`)).html).toContain('<h1 id="b"');
    const zip = await stranger.ask(`/shared/${token}/zip`);
    expect(zip.headers.get("Content-Type")).toBe("application/zip");
    const bytes = Buffer.from(await zip.arrayBuffer()).toString("latin1");
    for (const name of ["a.py", "b.md"]) expect(bytes).toContain(name);
    expect(bytes).not.toContain("manifest.json");
    for (const wrong of ["0", "3", "x", "01", "1/nonsense"])
      expect((await stranger.ask(`/shared/${token}/${wrong}`)).status).toBe(404);
    expect(await countViews(token)).toBe(1);
    const kept = await noam.submit(`/shared/${token}/1`, { intent: "save" });
    expect(kept.headers.get("Location")).toMatch(/^\/file\//);
    expect((await page(`/share/${token}`)).status).toBe(404);
  });

  it("goes on without a file that is deleted, and is 404 without any, after its end and when revoked", async () => {
    const ids = [await saved(dana, "first.py", "first\n"), await saved(dana, "second.py", "second\n")];
    const { token } = await link(ids, { expires_in_days: 2 });
    await post(dana, `/api/file/${ids[0]}/trash`);
    const { html } = await page(`/shared/${token}`);
    expect(html).toContain("second.py");
    expect(html).not.toContain("first.py");
    expect((await stranger.ask(`/shared/${token}/1/raw`)).status).toBe(404);
    expect(await (await stranger.ask(`/shared/${token}/2/raw`)).text()).toBe("second\n");
    await post(dana, `/api/trash/${ids[0]}/purge`);
    expect(await (await stranger.ask(`/shared/${token}/2/raw`)).text()).toBe("second\n");
    expect((await later(2 * DAY_MS, () => page(`/shared/${token}`))).status).toBe(404);
    await post(dana, `/api/file/${ids[1]}/trash`);
    expect((await page(`/shared/${token}`)).status).toBe(404);
    await post(dana, `/api/trash/${ids[1]}/purge`);
    expect(await web.db.shares.findOne({ _id: token })).toBeNull();
    const told = (await web.events("share_view_not_found")).map(({ share_id }) => share_id);
    expect(told).toContain(`${token.slice(0, 8)}…`);
    expect(told.join()).not.toContain(token);
  });

  it("comes from the form of the list too, which offers it to be copied", async () => {
    const made = await dana.submit("/files/actions", {
      intent: "share",
      file_ids: await saved(dana, "listed.py"),
    });
    expect([made.status, made.headers.get("Location")]).toEqual([303, "/files"]);
    const [, token = ""] = required(
      /data-copy-text="[^"]+\/shared\/([\w-]{32})"/.exec((await page("/files", dana)).html),
    );
    expect((await page("/shares", dana)).html).toContain(`value="${web.url}/shared/${token}"`);
  });

  it("is one link when the button is pressed twice, and another later or for other versions", async () => {
    const id = await saved(dana, "pressed.py");
    const press = async () => {
      await dana.submit("/files/actions", { intent: "share", file_ids: id });
      const { html } = await page("/shares", dana);
      return [...html.matchAll(/\/shared\/([\w-]{32})"/g)].length;
    };

    const pressed = await Promise.all([press(), press(), press()]);
    await saved(dana, "pressed.py", "newer\n");
    const newer = await press();
    const afterwards = await later(60_000, press);

    expect(new Set(pressed).size).toBe(1);
    expect(new Set([pressed[0], newer, afterwards]).size).toBe(3);
  });
});

describe("the owner's list", () => {
  it("says what is public, until when and how often it was seen, to its owner alone", async () => {
    const rina = await web.visitor().logIn("72");
    expect((await page("/shares", rina)).html).toContain("No links yet");
    const fileId = await saved(rina, "mine <b>.py", "1\n2\n3\n");
    const id = await shared(fileId, { lines: "2-3", max_views: 4, password: "open sesame" }, rina);

    const { html } = await page("/shares", rina);

    expect(html).toContain("mine &lt;b&gt;.py");
    for (const words of [`/share/${id}`, "Nov 21, 2037", "0 of 4", "2-3", "password"])
      expect(html).toContain(words);
    const list = await (await rina.ask("/api/shares")).json();
    expect(list).toMatchObject({
      ok: true,
      count: 1,
      shares: [{ share_id: id, has_password: true, living: 1 }],
    });
    expect(JSON.stringify(list)).not.toContain(required(await web.db.shares.findOne({ _id: id })).password);
    expect((await page("/shares", noam)).html).not.toContain(id);
    expect((await stranger.page("/shares")).headers.get("Location")).toBe("/login?next=%2Fshares");
    await post(rina, `/api/file/${fileId}/trash`);
    expect((await page("/shares", rina)).html).toContain("Not available: the file is in the trash.");
  });

  it("offers the code that embeds a file, as its public page does, and none where a frame cannot open it", async () => {
    const gil = await web.visitor().logIn("74");
    const fileId = await saved(gil, "framed.py", "1\n2\n3\n");
    const id = await shared(fileId, { lines: "2" }, gil);
    const { html } = await page("/shares", gil);
    const code = /value="(&lt;iframe[^"]*)"/.exec(html)?.[1];
    expect(code).toContain(`/share/${id}/embed`);
    expect((await page(`/share/${id}`)).html).toContain(`value="${code}"`);
    expect(html.replace(/[\u2066-\u2069]/g, "")).toContain("line 2<");

    await gil.submit("/shares", { revoke: id });
    await shared(fileId, { max_views: 4 }, gil);
    expect((await page("/shares", gil)).html).not.toContain("&lt;iframe");
  });

  it("revokes by form and by API what is its owner's, and nothing else", async () => {
    const [byForm, byApi] = [await sharedText("f.py"), await sharedText("g.py")];
    for (const id of [byForm, byApi]) {
      const foreign = await noam.ask(`/api/shares/${id}`, { method: "DELETE" });
      expect([foreign.status, await foreign.json()]).toEqual([
        404,
        { error: "Share not found", code: "share_not_found", share_id: id },
      ]);
      expect((await noam.submit("/shares", { revoke: id })).status).toBe(404);
      expect((await page(`/share/${id}`)).status).toBe(200);
    }
    expect((await dana.submit("/shares", { revoke: byForm })).headers.get("Location")).toBe("/shares");
    expect(await (await dana.ask(`/api/shares/${byApi}`, { method: "DELETE" })).json()).toMatchObject({
      ok: true,
      revoked: 1,
    });
    for (const id of [byForm, byApi]) expect((await page(`/share/${id}`)).status).toBe(404);
  });
});

describe("the form of a file", () => {
  it("makes what it says, from the version and the lines that its address names", async () => {
    const id = await saved(dana, "formed.txt", "a\nb\nc\n");
    await saved(dana, "formed.txt", "new\n");
    expect((await page(`/file/${id}/share?v=1&L=2-3`, dana)).html).toContain('value="2-3"');

    const fields = { content: "lines", lines: "2-3", lifetime: "null", max_views: "", password: "" };
    const made = await dana.submit(`/file/${id}/share?v=1`, fields);

    expect([made.status, made.headers.get("Location")]).toEqual([303, `/file/${id}?v=1&L=2-3#L2`]);
    const { html } = await page(`/file/${id}?v=1`, dana);
    expect(html).toMatch(/<input[^>]*value="[^"]+\/share\/[\w-]{16}"/);
    const [, share = ""] = required(/data-copy-text="[^"]+\/share\/([\w-]{16})"/.exec(html));
    expect(await raw(share)).toBe("b\nc\n");
    expect(await web.db.shares.findOne({ _id: share })).toMatchObject({
      expires_at: null,
      files: [{ version: 1 }],
    });
  });

  it.each([
    [{ content: "lines", lines: "9" }, "have these lines"],
    [{ content: "lines" }, "have these lines"],
    [{ max_views: "many" }, "Enter a number from 1"],
    [{ max_views: "0" }, "Enter a number from 1"],
    [{ password: "short" }, "6 to 200 characters"],
    [{ lifetime: "2" }, "is not valid"],
  ])("comes back with %j and says why", async (fields, words) => {
    const id = await saved(dana, "typed.txt", "a\n");
    const all = { content: "preview", lines: "", lifetime: "30", max_views: "", password: "", ...fields };
    const response = await dana.submit(`/file/${id}/share`, all);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(words);
    if (!("lifetime" in fields)) expect(html).toContain('<option value="30" selected="">');
  });

  it("sent twice is one share, and another choice or a revoked one makes another", async () => {
    const id = await saved(dana, "twice.py");
    const path = `/file/${id}/share`;
    const form_key = required(
      required(/name="form_key" value="([^"]+)"/.exec((await page(path, dana)).html))[1],
    );
    const fields = { content: "full", lines: "", lifetime: "7", max_views: "", password: "sesame", form_key };
    const headers = { Accept: "application/json", "Sec-Fetch-Site": "same-origin" };
    const send = async (more: object = {}): Promise<string> => {
      const body = new URLSearchParams({ ...fields, ...more });
      return (await (await dana.ask(path, { method: "POST", headers, body })).json()).share_id;
    };

    const clicks = await Promise.all([send(), send(), send()]);
    const again = await send();
    const preview = await send({ content: "preview" });
    await dana.submit("/shares", { revoke: again });
    const anew = await send();

    expect(new Set([...clicks, again]).size).toBe(1);
    expect(new Set([again, preview, anew]).size).toBe(3);
    expect(await web.db.shares.countDocuments({ "files.file_name": "twice.py" })).toBe(2);
    const kept = JSON.stringify(await web.db.shares.findOne({ _id: anew }));
    expect(kept).not.toContain(form_key);
  });

  it("is 404 for a file that is not one's own", async () => {
    const id = await saved(noam, "noams.txt");
    expect((await dana.page(`/file/${id}/share`)).status).toBe(404);
    expect((await noam.page(`/file/${id}/share`)).status).toBe(200);
  });
});

describe("embedding", () => {
  const linked = async (...names: string[]) => {
    const file_ids = await Promise.all(names.map((name) => saved(dana, name)));
    const [, made] = await answer(dana, "/api/files/create-share-link", { file_ids });
    return String(made.token);
  };
  const oembed = async (url: string, more = "") => {
    const response = await stranger.ask(`/oembed?url=${encodeURIComponent(url)}${more}`);
    return [response.status, await response.json()] as const;
  };

  it("gives any site a page for its frames, which sets no cookie, asks for nothing and leads to the share", async () => {
    const id = await sharedText("framed.py", "x = '<b>'\n");
    const token = await linked("one.py", "two.py");

    for (const path of [`/share/${id}`, `/shared/${token}/2`]) {
      const { status, headers, html } = await page(`${path}/embed?theme=dark`);

      expect(status).toBe(200);
      expect(headers.get("X-Frame-Options")).toBeNull();
      expect(headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; .*frame-ancestors \*$/);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(html).toContain('data-theme="dark"');
      expect(html).toContain(`href="${path}" target="_blank"`);
      expect(html).not.toMatch(/<form|<link|<img|src=/);
    }
    const framed = await page(`/share/${id}/embed`);
    expect(framed.html).toContain('data-theme="system"');
    expect(framed.html).toContain("&lt;b&gt;");
    expect(framed.html).not.toContain("<b>");
    // Once above, and once here.
    expect(await countViews(id)).toBe(2);
  });

  it("sets no cookie for its owner either, and leaves every other page of the share unframed", async () => {
    const id = await sharedText("own-frame.py");
    const [framed, shown] = [await page(`/share/${id}/embed`, dana), await page(`/share/${id}`, dana)];

    expect([framed.status, framed.headers.getSetCookie()]).toEqual([200, []]);
    expect(shown.headers.get("X-Frame-Options")).toBe("DENY");
    expect(shown.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });

  it("counts lines from where the share begins, and shows the beginning of a long text", async () => {
    const text = Array.from({ length: 1_500 }, (_, i) => `line_${i + 1} = ${i + 1}\n`).join("");
    const whole = (await page(`/share/${await sharedText("long.py", text)}/embed`)).html;
    const part = (await page(`/share/${await sharedText("part.py", text, { lines: "7-9" })}/embed`)).html;

    expect(whole).toContain('id="L1000"');
    expect(whole).not.toContain('id="L1001"');
    expect(whole).toContain("Only the beginning is shown.");
    expect([...part.matchAll(/id="L(\d+)"/g)].map(([, n]) => n)).toEqual(["7", "8", "9"]);
    expect(part).not.toContain("Only the beginning is shown.");
  });

  it.each([
    ["a password", { password: "sesame" }],
    ["a limit of views", { max_views: 3 }],
  ])("shows nothing of a link with %s", async (_, wish) => {
    const id = await sharedText("closed.py", "secret = 1\n", wish);

    const { status, html, headers } = await page(`/share/${id}/embed`);

    expect(status).toBe(403);
    expect(html).toContain(`href="/share/${id}"`);
    expect(html).not.toMatch(/closed\.py|secret/);
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect((await oembed(`${web.url}/share/${id}`))[0]).toBe(401);
    expect((await page(`/share/${id}`)).html).not.toContain("oembed");
  });

  it("says in the frame that a link has ended", async () => {
    const { status, html, headers } = await page(`/share/${UNKNOWN}/embed`);
    expect([status, headers.get("Cache-Control")]).toEqual([404, "no-store"]);
    expect(html).toContain("no longer available");
    const program = await stranger.ask(`/share/${UNKNOWN}/embed`);
    expect([program.status, await program.json()]).toEqual([
      404,
      expect.objectContaining({ error: expect.any(String) }),
    ]);
  });

  it("is offered on the page of the share as code, and by oEmbed, which its head names", async () => {
    const id = await sharedText('a"b.py', "1\n2\n3\n");
    const { html } = await page(`/share/${id}`);
    const href = required(
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(html)?.[1],
    );
    const offered = await (await stranger.ask(href.replaceAll("&amp;", "&").replace(web.url, ""))).json();

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
    expect((await oembed(`${web.url}/share/${id}`, "&maxwidth=300&maxheight=100"))[1]).toMatchObject({
      width: 300,
      height: 100,
    });
  });

  it("answers oEmbed for pages of shared files alone, and in JSON alone", async () => {
    const id = await sharedText("asked.py");
    const token = await linked("three.py", "four.py");
    const good = `${web.url}/share/${id}`;

    expect((await oembed(`${good}?view=source`))[0]).toBe(200);
    expect((await oembed(`${web.url}/shared/${token}/1`))[0]).toBe(200);
    expect((await oembed(good, "&format=xml"))[0]).toBe(501);
    for (const url of [
      `${web.url}/share/${UNKNOWN}`,
      `${web.url}/shared/${token}`,
      `${web.url}/shared/${token}/9`,
      `https://example.org/share/${id}`,
      `${web.url}/files`,
      "nonsense",
    ])
      expect([url, (await oembed(url))[0]]).toEqual([url, 404]);
    expect((await oembed(`${web.url}/shared/${token}`))[1]).toMatchObject({ code: "folder_not_embeddable" });
    expect((await oembed(`${web.url}/shared/${token}x`))[1]).toMatchObject({ code: "share_not_found" });
    expect((await stranger.ask("/oembed")).status).toBe(400);
  });
});
