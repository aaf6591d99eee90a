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

const create = (text: string, link: string | null = null) => createAnnouncement(db, { text, link }, NOON);

describe("the active announcement", () => {
  it("is none where the removal of it was cut off half way", async () => {
    const { id } = await create("removed");
    await activateAnnouncement(db, id);
    expect(await findActiveAnnouncement(db)).toMatchObject({ id });
    const { announcement_id } = required(await db.active_announcement.findOne({ _id: "site" }));
    await db.announcements.deleteOne({ _id: required(announcement_id) });
    expect(await findActiveAnnouncement(db)).toBeNull();
    expect((await listAnnouncements(db)).filter(({ is_active }) => is_active)).toEqual([]);
  });

  it("stays when another, which it has replaced, is deactivated or removed late", async () => {
    const [old, current] = [await create("old"), await create("current")];
    await activateAnnouncement(db, old.id);
    await activateAnnouncement(db, current.id);
    await deactivateAnnouncement(db, old.id);
    await removeAnnouncement(db, old.id);
    expect(await findActiveAnnouncement(db)).toMatchObject({ id: current.id });
    await deactivateAnnouncement(db, current.id);
    expect(await findActiveAnnouncement(db)).toBeNull();
  });

  it("is nothing that was removed before", async () => {
    const { id } = await create("gone");
    await removeAnnouncement(db, id);
    const refusal = { refused: "announcement_not_found", context: { announcement_id: id } };
    expect(await activateAnnouncement(db, id)).toEqual(refusal);
    expect(await updateAnnouncement(db, id, { text: "x", link: null }, NOON)).toEqual(refusal);
  });
});
