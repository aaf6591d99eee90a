import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { createOrReplaceFeed, findFeed } from "#db/accounts/feeds.server.ts";
import { removeNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { acknowledgeReminder, setReminder, snoozeReminder } from "#db/reminders/reminders.server.ts";
import { required } from "#domain/required.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { NOON } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { openTestWeb, type Visitor } from "#tests/support/web.ts";

const web = await openTestWeb({ RATE_LIMIT_REQUESTS_PER_MINUTE: "100" });
const dana = await web.person("50");
const minutes = (count: number) => new Date(NOON.getTime() + count * 60_000);
const anybody = () => web.visitor();

async function madeBy(visitor: Visitor): Promise<string> {
  const answer = await visitor.press("/settings/feeds", { intent: "make" });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  return required(/\/feeds\/([\w-]{43})\/reminders\.ics/.exec(answer.html)?.[1]);
}
const read = (secret: string, name = "reminders.ics", init: RequestInit = {}) =>
  anybody().ask(`/feeds/${secret}/${name}`, init);
const renewedFeed = async (owner: string) =>
  orThrow(await createOrReplaceFeed(web.db, newOwner(owner), NOON)).secret;
const calendar = async (secret: string) => (await (await read(secret)).text()).replaceAll("\r\n ", "");

describe("the address of one's feeds", () => {
  it("is shown once, stored as a digest only, read without a session, and in no log", async () => {
    const secret = await madeBy(dana);

    const answer = await read(secret);

    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
      200,
      "text/calendar; charset=utf-8",
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await read(secret, "reminders.atom")).headers.get("Content-Type")).toBe(
      "application/atom+xml; charset=utf-8",
    );
    expect(await dana.read("/settings/feeds")).not.toContain(secret);
    expect(JSON.stringify(await web.db.feeds.find().toArray())).not.toContain(secret);
    await read(secret, "%ff");
    await anybody().page(`/feeds/${secret}/nothing`);
    await read(secret, "reminders.ics", { method: "POST" });
    expect(web.log.some((line) => line.includes("/feeds/:secret/:name"))).toBe(true);
    expect(web.log.join("\n")).not.toContain(secret);
    expect(JSON.stringify(await web.events("feed_address_made"))).not.toContain(secret);
  });

  it("stops working at once when another is made, and when it is removed", async () => {
    const first = await madeBy(dana);
    expect((await read(first)).status).toBe(200);

    const second = await madeBy(dana);
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200]);

    const gone = await dana.press("/settings/feeds", { intent: "revoke" });
    expect([gone.status, gone.location]).toEqual([303, "/settings/feeds"]);
    expect((await read(second)).status).toBe(404);
    expect(await findFeed(web.db, newOwner("50"))).toBeNull();
    expect(await web.events("feed_address_revoked")).toHaveLength(1);
  });

  it("is the last one that was made, however many are requested at once", async () => {
    const feeds = await Promise.all(
      Array.from({ length: 6 }, () => createOrReplaceFeed(web.db, newOwner("51"), NOON).then(orThrow)),
    );
    await web.person("51");

    const answers = await Promise.all(feeds.map(({ secret }) => read(secret)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await web.db.feeds.countDocuments({ user_id: "51" })).toBe(1);
  });

  it.each([
    ["unknown", "x".repeat(43), "reminders.ics"],
    ["misshapen", "short", "reminders.ics"],
    ["of a prototype", "x".repeat(43), "constructor"],
  ])("that is %s is not found, as JSON and as a page", async (_, secret, name) => {
    const answer = await read(secret, name);
    expect([answer.status, (await answer.json()).error]).toEqual([404, "not_found"]);
    expect((await anybody().page(`/feeds/${secret}/${name}`)).status).toBe(404);
  });
});

describe("the calendar feed", () => {
  it("follows a reminder through its life under one UID", async () => {
    const secret = await renewedFeed("50");
    const note = await web.given.note("50", { content: "להתקשר לבנק; ולשאול, אם אפשר" });
    const uid = `UID:reminder-${note.id}@codeshelf`;
    expect(await calendar(secret)).not.toContain(uid);

    await setReminder(web.db, "50", note, minutes(30), NOON);
    const set = await calendar(secret);
    expect(set).toContain(uid);
    expect(set).toContain("DTSTART:20371114T123000Z");
    expect(set).toContain("SUMMARY:להתקשר לבנק\\; ולשאול\\, אם אפשר");
    expect(set).toContain(`URL:${web.url}/note/${note.id}`);
    expect(set).toContain("dana/tools/src/main.py");

    await snoozeReminder(web.db, "50", note.id, minutes(60), minutes(1));
    const snoozed = await calendar(secret);
    expect(snoozed).toContain("DTSTART:20371114T130000Z");
    expect(snoozed).toContain("DTSTAMP:20371114T120100Z");

    await acknowledgeReminder(web.db, "50", note.id, null, minutes(2));
    const done = await calendar(secret);
    expect(done).toContain("SUMMARY:✓ להתקשר");
    expect(done).not.toContain("VALARM");

    await removeNote(web.db, "50", note.id, minutes(3));
    expect(await calendar(secret)).not.toContain(uid);
  });

  it("leaves out what is in the trash with its file, until it comes back", async () => {
    const secret = await renewedFeed("50");
    const { id: file_id } = await web.given.file("50", "feed.py");
    const note = await web.given.note("50", { content: "mend it" }, { kind: "file", file_id });
    await setReminder(web.db, "50", note, minutes(30), NOON);
    expect(await calendar(secret)).toContain(note.id);

    expect((await dana.ask(`/api/file/${file_id}/trash`, { method: "POST" })).status).toBe(200);
    expect(await calendar(secret)).not.toContain(note.id);
    await dana.ask(`/api/trash/${file_id}/restore`, { method: "POST" });
    expect(await calendar(secret)).toContain(note.id);
  });

  it("contains nothing of other people", async () => {
    const { note_id } = await web.given.reminder("52", minutes(30));
    expect(await calendar(await renewedFeed("50"))).not.toContain(note_id);
  });
});

it("the RSS feed has a reminder from its time on", async () => {
  const secret = await renewedFeed("50");
  const note = await web.given.reminder("50", minutes(90), { content: "water <the> plants" });
  const atom = async () => (await read(secret, "reminders.atom")).text();
  expect(await atom()).not.toContain(note.note_id);

  web.clock.set(minutes(91));
  expect(await atom()).toContain("<title>water &lt;the&gt; plants</title>");
  web.clock.set(NOON);
});

describe("reading again", () => {
  it.each(["reminders.ics", "reminders.atom"])("%s that did not change is answered by 304", async (name) => {
    const secret = await renewedFeed("53");
    await web.person("53");
    const { note_id } = await web.given.reminder("53", minutes(-1));
    const etag = required((await read(secret, name)).headers.get("ETag"));
    const again = () => read(secret, name, { headers: { "If-None-Match": etag } });

    web.clock.set(minutes(5));
    const unchanged = await again();
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    expect((await read(secret, name, { method: "HEAD" })).headers.get("ETag")).toBe(etag);

    await web.db.notes.updateOne(
      { _id: new ObjectId(note_id) },
      { $set: { content: "other words", updated_at: minutes(5) } },
    );
    expect((await again()).status).toBe(200);
    web.clock.set(NOON);
  });

  it("too often from one address has to wait", async () => {
    const secret = await renewedFeed("50");
    web.clock.set(minutes(600));
    for (let turn = 0; turn < 100; turn += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => read(secret)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    const refused = await read(secret);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });
});
