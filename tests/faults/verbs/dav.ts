/** WebDAV's records: locks, properties, and files outside the library. */

import type { Db } from "#db/client.ts";
import { claimDeparture, recordDeparture } from "#db/dav/dav-departures.server.ts";
import { setClientModified } from "#db/dav/dav-files.server.ts";
import { removeJunk, setJunk } from "#db/dav/dav-junk.server.ts";
import { createLock, extendLock, removeLock, removeLocksWithin } from "#db/dav/dav-locks.server.ts";
import { updateFileProperties, updateFolderProperties } from "#db/dav/dav-properties.server.ts";
import type { DavLock } from "#domain/dav/dav-lock.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenFolder } from "./folders.ts";
import { givenFile } from "./given.ts";

const LOCK: DavLock = {
  token: "opaquelocktoken:1",
  names: ["a.py"],
  isFolder: false,
  scope: "exclusive",
  depth: "0",
  owner: "",
  seconds: 3_600,
  expires_at: new Date(NOON.getTime() + HOUR_MS),
};
const PLACE = { folder_id: null, name: ".DS_Store" };
const BYTES = Buffer.from([0, 1, 2]);
const CHANGES = [{ set: { namespace: "urn:x", name: "colour", xml: '<colour xmlns="urn:x">red</colour>' } }];

const givenLock = (db: Db) => createLock(db, OWNER, LOCK, NOON);

const leave = (db: Db) =>
  recordDeparture(db, OWNER, "client", PLACE, { departed_id: "a", isLeftover: false }, NOON);

export const DAV_VERBS: Record<string, VerbRow> = {
  "dav-locks/createLock": row(nothing, givenLock),
  "dav-locks/extendLock": row(givenLock, (db) =>
    extendLock(db, OWNER, LOCK, [LOCK.token], { seconds: 60, expires_at: LOCK.expires_at }, NOON),
  ),
  "dav-locks/removeLock": row(givenLock, (db) => removeLock(db, OWNER, LOCK, LOCK.token, NOON)),
  "dav-locks/removeLocksWithin": row(givenLock, (db) => removeLocksWithin(db, OWNER, LOCK, NOON)),
  "dav-properties/updateFileProperties": row(
    (db) => givenFile(db, "a.py"),
    (db, { id }) => updateFileProperties(db, OWNER, id, CHANGES),
  ),
  "dav-properties/updateFolderProperties": row(givenFolder, (db, id) =>
    updateFolderProperties(db, OWNER, id, CHANGES),
  ),
  "dav-junk/setJunk": row(nothing, (db) => setJunk(db, OWNER, PLACE, BYTES, NOON)),
  "dav-junk/removeJunk": row(
    (db) => setJunk(db, OWNER, PLACE, BYTES, NOON),
    (db) => removeJunk(db, OWNER, PLACE),
  ),
  "dav-departures/recordDeparture": row(nothing, leave),
  "dav-departures/claimDeparture": row(leave, (db) => claimDeparture(db, OWNER, "client", PLACE, NOON)),
  "dav-files/setClientModified": row(
    (db) => givenFile(db, "a.py"),
    (db, file) => setClientModified(db, OWNER, file, NOON),
  ),
};
