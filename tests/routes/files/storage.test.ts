import { describe, expect, it } from "vitest";
import { saveFile } from "#db/files/files.server.ts";
import { createShare } from "#db/shares/shares.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const MEGABYTE = 1024 * 1024;
const web = await openTestWeb({
  MAX_LIBRARY_MB: "1",
  RATE_LIMIT_UPLOADS_PER_MINUTE: "20",
});
const { db, clock } = web;
const FULL = { code: "library_full", error: "library_full", max_bytes: MEGABYTE };

const put = (visitor: Visitor, name: string, bytes: number) =>
  visitor.ask(`/api/files/${name}`, { method: "PUT", body: "x".repeat(bytes) });
const post = (visitor: Visitor, path: string, body: object) =>
  visitor.ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** Somebody who has this much room left. */
async function givenRoom(id: string, bytes: number) {
  const visitor = await web.visitor().logIn(id);
  const saved = await saveFile(db, id, { file_name: "kept.md", body: "x".repeat(MEGABYTE - bytes) }, clock());
  if (isRefusal(saved)) throw new Error(saved.refused);
  return { visitor, file: saved.file };
}

describe("a library without room", () => {
  it("says so to scripts and on pages, before anything is stored", async () => {
    const { visitor: dana, file } = await givenRoom("10", 100);

    const refused = await put(dana, "more.txt", 101);
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { ...FULL, used_bytes: MEGABYTE - 100 },
    ]);
    const form = new FormData();
    for (const name of ["one.txt", "two.txt"]) form.append("files", new File(["x".repeat(60)], name));
    const page = await dana.submit("/upload", form);
    expect([page.status, await page.text()]).toEqual([413, expect.stringContaining("Your library is full.")]);
    const edited = { file_name: "kept.md", text: `typed ${"y".repeat(101)}`, version: "1" };
    const editor = await dana.submit(`/edit/${file.id}`, edited);
    expect([editor.status, await editor.text()]).toEqual([413, expect.stringContaining("typed yyy")]);
    const noted = await post(dana, `/api/sticky-notes/${file.id}`, { content: "z".repeat(101) });
    expect([noted.status, await noted.json()]).toMatchObject([413, FULL]);

    expect(await db.files.countDocuments({ user_id: "10" })).toBe(1);
    expect(await db.file_versions.countDocuments({ user_id: "10" })).toBe(1);
    expect(await db.notes.countDocuments({ user_id: "10" })).toBe(0);
    expect((await put(dana, "fits.txt", 100)).status).toBe(201);
  });

  it("has room again once the trash is emptied", async () => {
    const { visitor, file } = await givenRoom("11", 0);
    expect((await put(visitor, "more.txt", 1)).status).toBe(413);
    await visitor.submit("/files/actions", { intent: `trash:${file.id}` });
    expect((await put(visitor, "more.txt", 1)).status).toBe(413);
    await visitor.submit("/files/actions", { intent: "empty" });
    expect((await put(visitor, "more.txt", 1)).status).toBe(201);
  });

  it("uses up no view of a share that cannot be kept", async () => {
    const { file } = await givenRoom("12", MEGABYTE - 50);
    const { visitor } = await givenRoom("13", 10);
    const wish = { mode: "full" as const, days: null, lines: null, maxViews: 1, password: null };
    const share = await createShare(db, "12", file.id, wish, clock());
    if (isRefusal(share)) throw new Error(share.refused);
    const saved = await post(visitor, "/api/shared/save", { share_id: share.id });
    expect([saved.status, await saved.json()]).toMatchObject([413, FULL]);
    expect(await db.shares.findOne({ _id: share.id })).toMatchObject({ views_left: 1 });
  });
});

describe("the storage of a person", () => {
  it("is on the dashboard and in the settings, as a bar and in words", async () => {
    const { visitor } = await givenRoom("20", MEGABYTE / 2);
    for (const path of ["/dashboard", "/settings"]) {
      const page = await (await visitor.page(path)).text();
      expect(page).toMatch(new RegExp(`<meter [^>]*max="${MEGABYTE}"[^>]*value="${MEGABYTE / 2}"`));
      expect(page).toContain("\u2066512 KiB\u2069 of \u20661 MiB\u2069 used");
      expect(page).not.toContain("Almost full");
    }
    await put(visitor, "more.txt", MEGABYTE / 2 - 10);
    expect(await (await visitor.page("/settings")).text()).toContain("Almost full: empty the trash");
  });

  it("bounds uploads of a minute, and says when the next may come", async () => {
    const visitor = await web.visitor().logIn("21");
    for (let i = 0; i < 20; i += 1) expect((await put(visitor, `${i}.txt`, 1)).status).toBe(201);
    const refused = await put(visitor, "late.txt", 1);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await refused.json()).toMatchObject({ code: "rate_limit_exceeded", retry_after: 60 });
    expect(await db.files.countDocuments({ user_id: "21" })).toBe(20);
  });
});
