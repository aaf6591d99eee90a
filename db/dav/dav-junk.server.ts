import { createHash } from "node:crypto";
import { Binary } from "mongodb";
import type { Db } from "#db/client.ts";
import type { DavJunkDoc } from "#db/dav/documents.ts";
import { DavProblem } from "#domain/dav/dav-problem.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

/**
 * Files that systems drop (`domain/dav/junk-name.ts`), for an hour and apart from the library. A person has a fixed number of places,
 * and a name has one of them by its hash: a write is one write, no count is kept, and of two names with the same place the later stays.
 */
export type JunkFile = { name: string; bytes: Uint8Array; tag: string; written_at: Date };
type JunkPlace = { folder_id: string | null; name: string };

const JUNK_MAX_BYTES = 64 * 1024;
const PLACES = 1_024;
const KEPT_MS = HOUR_MS;

function toId(ownerId: string, { folder_id, name }: JunkPlace): string {
  const hash = createHash("sha256")
    .update(`${folder_id ?? ""}/${name}`)
    .digest();
  return `${ownerId}:${hash.readUInt32BE(0) % PLACES}`;
}

const toFilter = (ownerId: string, place: JunkPlace) => ({
  _id: toId(ownerId, place),
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
  if (bytes.byteLength > JUNK_MAX_BYTES)
    return DavProblem(413, `Files of this name may have ${JUNK_MAX_BYTES} bytes.`);
  const junk: Omit<DavJunkDoc, "_id" | "user_id"> = {
    ...place,
    bytes: new Binary(bytes),
    tag: createTag(bytes, now),
    written_at: now,
    expires_at: new Date(now.getTime() + KEPT_MS),
  };
  const slot = { _id: toId(ownerId, place), user_id: ownerId };
  await db.dav_junk.updateOne(slot, { $set: junk }, { upsert: true });
  return { ...place, bytes, tag: junk.tag, written_at: now };
}

/** A writing at another moment, or of other bytes, has another tag. */
const createTag = (bytes: Uint8Array, now: Date) =>
  createHash("sha256").update(bytes).update(now.toISOString()).digest("base64url").slice(0, 22);

export async function removeJunk(db: Db, ownerId: string, place: JunkPlace): Promise<void> {
  await db.dav_junk.deleteOne(toFilter(ownerId, place));
}
