import { createHash } from "node:crypto";
import { Binary } from "mongodb";
import type { Db } from "#db/client.ts";
import type { DavJunkDoc } from "#db/dav/documents.ts";
import { DavProblem } from "#domain/dav/dav-problem.ts";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

/**
 * Stores junk files of systems (`domain/dav/junk-name.ts`) for an hour, apart from the library. A person has a fixed number of
 * slots for small and for large files, and the hash of a name selects one of each. So no count is stored, and of two names with
 * the same slot the later one stays.
 */
export type JunkFile = { name: string; bytes: Uint8Array; tag: string; written_at: Date };
type JunkPlace = { folder_id: string | null; name: string };

const SMALL_MAX_BYTES = 64 * 1024;
const [SMALL_SLOTS, LARGE_SLOTS] = [1_024, 16];
const LIFETIME_MS = HOUR_MS;

function toSlotIds(ownerId: string, { folder_id, name }: JunkPlace): { small: string; large: string } {
  const hash = createHash("sha256")
    .update(`${folder_id ?? ""}/${name}`)
    .digest()
    .readUInt32BE(0);
  return { small: `${ownerId}:${hash % SMALL_SLOTS}`, large: `${ownerId}:large:${hash % LARGE_SLOTS}` };
}

const toFilter = (ownerId: string, place: JunkPlace) => ({
  _id: { $in: Object.values(toSlotIds(ownerId, place)) },
  user_id: ownerId,
  ...place,
});

const toJunk = ({ name, bytes, tag, written_at }: DavJunkDoc): JunkFile => ({
  name,
  bytes: bytes.value(),
  tag,
  written_at,
});

export async function findJunk(
  db: Db,
  ownerId: string,
  place: JunkPlace,
  now: Date,
): Promise<JunkFile | null> {
  const doc = await db.dav_junk.findOne({ ...toFilter(ownerId, place), expires_at: { $gt: now } });
  return doc && toJunk(doc);
}

export async function listJunk(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  now: Date,
): Promise<JunkFile[]> {
  const docs = await db.dav_junk
    .find({ user_id: ownerId, folder_id, expires_at: { $gt: now } }, { hint: "of_folder" })
    .toArray();
  return docs.map(toJunk);
}

export async function setJunk(
  db: Db,
  ownerId: string,
  place: JunkPlace,
  bytes: Uint8Array,
  now: Date,
): Promise<JunkFile | DavProblem> {
  if (bytes.byteLength > BODY_MAX_BYTES)
    return DavProblem(413, `Files of this name may have ${BODY_MAX_BYTES} bytes.`);
  const junk: Omit<DavJunkDoc, "_id" | "user_id"> = {
    ...place,
    bytes: new Binary(bytes),
    tag: createTag(bytes, now),
    written_at: now,
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  };
  const { small, large } = toSlotIds(ownerId, place);
  const [_id, other] = bytes.byteLength > SMALL_MAX_BYTES ? [large, small] : [small, large];
  await db.dav_junk.updateOne({ _id, user_id: ownerId }, { $set: junk }, { upsert: true });
  await db.dav_junk.deleteOne({ _id: other, user_id: ownerId, ...place });
  return { ...place, bytes, tag: junk.tag, written_at: now };
}

/** Another time or other bytes result in another tag. */
const createTag = (bytes: Uint8Array, now: Date) =>
  createHash("sha256").update(bytes).update(now.toISOString()).digest("base64url").slice(0, 22);

export async function removeJunk(db: Db, ownerId: string, place: JunkPlace): Promise<void> {
  await db.dav_junk.deleteOne(toFilter(ownerId, place));
}
