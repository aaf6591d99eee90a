import { createHash } from "node:crypto";
import type { Db } from "#db/client.ts";
import type { DavDepartureDoc } from "#db/dav/documents.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

/** Remembers which file a WebDAV client moved away or deleted, for as long as an editor may take to save. */
type Place = { folder_id: string | null; name: string };
/** `isLeftover`: a copy that remains where the file was moved to, after the file came back. */
export type Departure = Pick<DavDepartureDoc, "departed_id" | "isLeftover">;

const LIFETIME_MS = 5 * MINUTE_MS;

/** Each client has its own id for a path. */
const toDepartureId = (ownerId: string, client: string, { folder_id, name }: Place) =>
  `${ownerId}:${createHash("sha256")
    .update(JSON.stringify([client, folder_id, name]))
    .digest("base64url")}`;

export async function recordDeparture(
  db: Db,
  ownerId: string,
  client: string,
  place: Place,
  departure: Departure,
  now: Date,
): Promise<void> {
  const expires_at = new Date(now.getTime() + LIFETIME_MS);
  await db.dav_departures.updateOne(
    { _id: toDepartureId(ownerId, client, place), user_id: ownerId },
    { $set: { ...departure, expires_at } },
    { upsert: true },
  );
}

/** Returns the file that had this path a moment ago and deletes the record. */
export async function claimDeparture(
  db: Db,
  ownerId: string,
  client: string,
  place: Place,
  now: Date,
): Promise<Departure | null> {
  const filter = { _id: toDepartureId(ownerId, client, place), user_id: ownerId };
  const doc = await db.dav_departures.findOneAndDelete(filter);
  return doc && doc.expires_at > now ? doc : null;
}
