import { ObjectId } from "mongodb";
import type { AnnouncementDoc } from "#db/alerts/documents.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { Announcement, AnnouncementDraft } from "#domain/accounts/announcement.ts";
import { Refusal } from "#domain/refusal.ts";

type AnnouncementRecord = Announcement & { is_active: boolean; created_at: Date };

const SITE = { _id: "site" } as const;
const LISTED_MAX = 100;

export async function listAnnouncements(db: Db): Promise<AnnouncementRecord[]> {
  const [docs, active] = await Promise.all([
    db.announcements.find().sort({ created_at: -1, _id: -1 }).limit(LISTED_MAX).toArray(),
    db.active_announcement.findOne(SITE),
  ]);
  return docs.map((doc) => ({
    ...toAnnouncement(doc),
    is_active: active?.announcement_id?.equals(doc._id) ?? false,
    created_at: doc.created_at,
  }));
}

export async function findActiveAnnouncement(db: Db): Promise<Announcement | null> {
  const active = await db.active_announcement.findOne(SITE);
  if (!active?.announcement_id) return null;
  const doc = await db.announcements.findOne({ _id: active.announcement_id });
  return doc && toAnnouncement(doc);
}

export async function createAnnouncement(db: Db, draft: AnnouncementDraft, now: Date): Promise<Announcement> {
  const doc = { _id: new ObjectId(), ...draft, created_at: now, updated_at: now };
  await db.announcements.insertOne(doc);
  return toAnnouncement(doc);
}

export async function updateAnnouncement(
  db: Db,
  id: string,
  draft: AnnouncementDraft,
  now: Date,
): Promise<Announcement | Refusal> {
  const doc = await db.announcements.findOneAndUpdate(
    { _id: new ObjectId(id) },
    { $set: { ...draft, updated_at: now } },
    { returnDocument: "after" },
  );
  return doc ? toAnnouncement(doc) : notFound(id);
}

export async function activateAnnouncement(db: Db, id: string): Promise<Announcement | Refusal> {
  const doc = await db.announcements.findOne({ _id: new ObjectId(id) });
  if (!doc) return notFound(id);
  const activate = () =>
    db.active_announcement.updateOne(SITE, { $set: { announcement_id: doc._id } }, { upsert: true });
  // If two first activations collide, one inserts the document, and the other finds it.
  (await skipDuplicate(activate())) ?? (await activate());
  db.emit("announcement_activated", { resource: { type: "announcement", id } });
  return toAnnouncement(doc);
}

/** Does nothing if another announcement was activated since. */
export async function deactivateAnnouncement(db: Db, id: string): Promise<void> {
  await db.active_announcement.updateOne(
    { ...SITE, announcement_id: new ObjectId(id) },
    { $set: { announcement_id: null } },
  );
}

export async function removeAnnouncement(db: Db, id: string): Promise<void> {
  await db.announcements.deleteOne({ _id: new ObjectId(id) });
  await deactivateAnnouncement(db, id);
}

const notFound = (announcement_id: string) => Refusal("announcement_not_found", { announcement_id });

function toAnnouncement({ _id, text, link }: AnnouncementDoc): Announcement {
  return { id: _id.toHexString(), text, link };
}
