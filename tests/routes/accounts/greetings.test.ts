import { describe, expect, it } from "vitest";
import { activateAnnouncement, createAnnouncement } from "#db/alerts/announcements.server.ts";
import { required } from "#domain/required.ts";
import { ADMIN_ID, openTestWeb, refusal, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.person(ADMIN_ID);
const dana = await web.person("7");

const me = async (visitor: Visitor) => visitor.readJson("/api/me");
const active = async (visitor: Visitor) => visitor.readJson("/api/v1/announcements/active");
const files = async (visitor: Visitor) => visitor.read("/files");
const announce = (fields: Record<string, string>) => admin.submit("/admin/announcements", fields);

describe("the welcome", () => {
  it("is shown until it is acknowledged, and never again", async () => {
    const noa = await web.person("21");
    expect(await me(noa)).toMatchObject({ has_seen_welcome_modal: false });
    expect(await files(noa)).toMatch(/<dialog[^>]* open/);
    expect((await noa.page("/nowhere")).status).toBe(404);

    for (const _ of ["once", "again"])
      expect(await noa.send("POST", "/api/welcome/ack")).toMatchObject({ status: 200, body: { ok: true } });
    expect(await me(noa)).toMatchObject({ has_seen_welcome_modal: true });
    expect(await files(noa)).not.toContain("<dialog");

    await noa.logIn("21");
    expect(await me(noa)).toMatchObject({ has_seen_welcome_modal: true });
  });

  it("promises running only to people who may run code", async () => {
    const runs = "Run code on its page";
    expect(await files(await web.person("22"))).not.toContain(runs);
    expect(await files(admin)).toContain(runs);
  });

  it("is closed by a plain form, which goes back to its page", async () => {
    const headers = { Referer: `${web.url}/files?category=recent`, "Sec-Fetch-Site": "same-origin" };
    const back = await dana.page("/api/welcome/ack", { method: "POST", headers });
    expect([back.status, back.headers.get("Location")]).toEqual([303, "/files?category=recent"]);
  });
});

describe("the announcement", () => {
  it("is hidden from a person who dismissed it, and visible to everyone else", async () => {
    const yael = await web.person("22");
    const { id } = await createAnnouncement(web.db, { text: "Dismiss me", link: null }, web.clock());
    await announce({ intent: "activate", announcement_id: id });
    expect(await files(dana)).toContain("Dismiss me");

    for (const _ of [1, 2]) {
      const answer = await dana.press(`/api/v1/announcements/${id}/dismiss`, {});
      expect([answer.status, answer.location]).toEqual([303, "/dashboard"]);
    }
    expect(await files(dana)).not.toContain("Dismiss me");
    expect(await files(yael)).toContain("Dismiss me");
    expect(await active(dana)).toMatchObject({ id });
    expect(required(await web.db.users.findOne({ _id: "7" })).dismissed_announcements).toEqual([id]);
  });

  it("of another process is seen within seconds", async () => {
    const yael = await web.person("22");
    await files(yael);
    const { id } = await createAnnouncement(web.db, { text: "From elsewhere", link: null }, web.clock());
    await activateAnnouncement(web.db, id);
    web.clock.pass(3_000);
    expect(await files(yael)).toContain("From elsewhere");
  });
});

it("/admin/announcements returns a refused text with the reason", async () => {
  const foreign = await announce({ intent: "create", text: "x", link: "//elsewhere.example" });
  expect([foreign.status, await foreign.text()]).toMatchObject([
    400,
    expect.stringContaining("//elsewhere.example"),
  ]);
  const gone = await announce({ intent: "activate", announcement_id: "0".repeat(24) });
  expect(gone.status).toBe(404);
  const form = new URLSearchParams({ intent: "create", text: "", link: "" });
  const json = await admin.send("POST", "/admin/announcements", form);
  expect(json).toMatchObject(refusal(400, "invalid_announcement_text", { max: 280 }));
  expect((await announce({ intent: "activate", announcement_id: "{" })).status).toBe(400);
});
