import { describe, expect, it } from "vitest";
import {
  activateAnnouncement,
  createAnnouncement,
  deactivateAnnouncement,
  findActiveAnnouncement,
  listAnnouncements,
  removeAnnouncement,
  updateAnnouncement,
} from "#db/alerts/announcements.server.ts";
import { required } from "#domain/required.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db } = await openTestStore();

const given = (text: string, link: string | null = null) => createAnnouncement(db, { text, link }, NOON);
const activeOnes = async () => (await listAnnouncements(db)).filter(({ is_active }) => is_active);

describe("the active announcement", () => {
  it("is one at most, however many activations race from the first on", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, i) => given(`number ${i}`)));
    const seen: number[] = [];
    const racing = all.map(async ({ id }) => {
      await activateAnnouncement(db, id);
      seen.push((await activeOnes()).length);
    });
    await Promise.all(racing);
    expect(seen).toEqual(Array(12).fill(1));
    const [winner] = await activeOnes();
    expect(await findActiveAnnouncement(db)).toEqual({
      id: required(winner).id,
      text: required(winner).text,
      link: null,
    });
    expect(await db.active_announcement.countDocuments({})).toBe(1);
  });

  it("is none where the removal of it was cut off half way", async () => {
    const { id } = await given("removed");
    await activateAnnouncement(db, id);
    expect(await findActiveAnnouncement(db)).toMatchObject({ id });
    const { announcement_id } = required(await db.active_announcement.findOne({ _id: "site" }));
    await db.announcements.deleteOne({ _id: required(announcement_id) });
    expect(await findActiveAnnouncement(db)).toBeNull();
    expect(await activeOnes()).toEqual([]);
  });

  it("stays when another, which it has replaced, is deactivated or removed late", async () => {
    const [old, current] = [await given("old"), await given("current")];
    await activateAnnouncement(db, old.id);
    await activateAnnouncement(db, current.id);
    await deactivateAnnouncement(db, old.id);
    await removeAnnouncement(db, old.id);
    expect(await findActiveAnnouncement(db)).toMatchObject({ id: current.id });
    await deactivateAnnouncement(db, current.id);
    expect(await findActiveAnnouncement(db)).toBeNull();
  });

  it("says what it was changed to", async () => {
    const { id } = await given("before");
    await activateAnnouncement(db, id);
    await updateAnnouncement(db, id, { text: "after", link: "/files" }, NOON);
    expect(await findActiveAnnouncement(db)).toEqual({ id, text: "after", link: "/files" });
  });

  it("is nothing that was removed before", async () => {
    const { id } = await given("gone");
    await removeAnnouncement(db, id);
    const refusal = { refused: "announcement_not_found", context: { announcement_id: id } };
    expect(await activateAnnouncement(db, id)).toEqual(refusal);
    expect(await updateAnnouncement(db, id, { text: "x", link: null }, NOON)).toEqual(refusal);
  });
});
