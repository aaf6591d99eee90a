import { describe, expect, it } from "vitest";
import { createShare } from "#db/shares/shares.server.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const MEGABYTE = 1024 * 1024;
const web = await openTestWeb({ MAX_LIBRARY_MB: "1", RATE_LIMIT_UPLOADS_PER_MINUTE: "20" });
const { db, given, clock } = web;
const FULL = { code: "library_full", error: "library_full", max_bytes: MEGABYTE };

const put = (visitor: Visitor, name: string, bytes: number) =>
  visitor.send("PUT", `/api/files/${name}`, "x".repeat(bytes));

/** A person with this many bytes left. */
async function givenRoom(bytes: number) {
  const visitor = await web.person();
  const { id: user_id } = visitor;
  return { visitor, user_id, file: await given.file(user_id, "kept.md", "x".repeat(MEGABYTE - bytes)) };
}

describe("a library without room", () => {
  it("says so to scripts and on pages, before anything is stored", async () => {
    const { visitor: dana, user_id, file } = await givenRoom(100);

    const used_bytes = MEGABYTE - 100;
    expect(await put(dana, "more.txt", 101)).toMatchObject({ status: 413, body: { ...FULL, used_bytes } });
    const files = ["one.txt", "two.txt"].map((name) => new File(["x".repeat(60)], name));
    const edited = { file_name: "kept.md", text: `typed ${"y".repeat(101)}`, version: "1" };
    for (const [answer, words] of [
      [await dana.press("/upload", { files }), "Your library is full."],
      [await dana.press(`/edit/${file.id}`, edited), "typed yyy"],
    ] as const)
      expect(answer).toMatchObject({ status: 413, html: expect.stringContaining(words) });
    const noted = await dana.send("POST", `/api/sticky-notes/${file.id}`, { content: "z".repeat(101) });
    expect(noted).toMatchObject({ status: 413, body: FULL });

    expect(await db.files.countDocuments({ user_id })).toBe(1);
    expect(await db.file_versions.countDocuments({ user_id })).toBe(1);
    expect(await db.notes.countDocuments({ user_id })).toBe(0);
    expect((await put(dana, "fits.txt", 100)).status).toBe(201);
  });

  it("has room again once the trash is emptied", async () => {
    const { visitor, file } = await givenRoom(0);
    for (const [intent, status] of [
      [`trash:${file.id}`, 413],
      ["empty", 201],
    ] as const) {
      expect((await put(visitor, "more.txt", 1)).status).toBe(413);
      await visitor.submit("/files/actions", { intent });
      expect((await put(visitor, "more.txt", 1)).status).toBe(status);
    }
  });

  it("uses no view of a share that cannot be saved", async () => {
    const { user_id, file } = await givenRoom(MEGABYTE - 50);
    const { visitor } = await givenRoom(10);
    const wish = { mode: "full" as const, days: null, lines: null, maxViews: 1, password: null };
    const { id: share_id } = orThrow(await createShare(db, user_id, file.id, wish, clock()));
    const saved = await visitor.send("POST", "/api/shared/save", { share_id });
    expect(saved).toMatchObject({ status: 413, body: FULL });
    expect(await db.shares.findOne({ _id: share_id })).toMatchObject({ views_left: 1 });
  });
});

describe("the storage of a person", () => {
  it("is on the dashboard and in the settings, as a bar and in words", async () => {
    const { visitor } = await givenRoom(MEGABYTE / 2);
    for (const path of ["/dashboard", "/settings"]) {
      const page = await visitor.read(path);
      expect(page).toMatch(new RegExp(`<meter [^>]*max="${MEGABYTE}"[^>]*value="${MEGABYTE / 2}"`));
      expect(page).toContain("\u2066512 KiB\u2069 of \u20661 MiB\u2069 used");
      expect(page).not.toContain("Almost full");
    }
    await put(visitor, "more.txt", MEGABYTE / 2 - 10);
    expect(await visitor.read("/settings")).toContain("Almost full: empty the trash");
  });

  it("bounds uploads of a minute, and says when the next may come", async () => {
    const visitor = await web.person();
    for (let i = 0; i < 20; i += 1) expect((await put(visitor, `${i}.txt`, 1)).status).toBe(201);
    const { status, headers, body } = await put(visitor, "late.txt", 1);
    expect([status, headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(body).toMatchObject({ code: "rate_limit_exceeded", retry_after: 60 });
    expect(await db.files.countDocuments({ user_id: visitor.id })).toBe(20);
  });
});
