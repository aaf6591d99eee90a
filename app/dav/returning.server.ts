import type { DavCall } from "#app/dav/call.ts";
import { findResource, type Resource } from "#app/dav/resource.server.ts";
import { claimDeparture, recordDeparture } from "#db/dav/dav-departures.server.ts";
import { setJunk } from "#db/dav/dav-junk.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { type FileRecord, findFile, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { isBackupName } from "#domain/dav/junk-name.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

/*
 * Editors save by moving a file away, or deleting it, and writing another under its name. The original then returns to the name with its
 * versions, notes, reminders and links, and the new text becomes its next version.
 */

const toPlace = ({ names, parentId }: Pick<Resource, "names" | "parentId">) => ({
  folder_id: parentId ?? null,
  name: required(names.at(-1), "name"),
});

export async function recordDepartedFile(
  { services, ownerId, client, now }: DavCall,
  place: Pick<Resource, "names" | "parentId">,
  file: FileRecord,
): Promise<void> {
  const departure = { departed_id: file.id, isLeftover: false };
  await recordDeparture(services.db, ownerId, client, toPlace(place), departure, now);
}

/** True if this file is the copy that stayed where another file had been for a moment. */
export async function isLeftover(
  { services, ownerId, client, now }: DavCall,
  place: Pick<Resource, "names" | "parentId">,
  file: FileRecord,
): Promise<boolean> {
  const departure = await claimDeparture(services.db, ownerId, client, toPlace(place), now);
  return departure?.isLeftover === true && departure.departed_id === file.id;
}

/** Returns the file that left this path a moment ago, and finds what is there now. `arriving` is the file being moved there. */
export async function restoreDepartedFile(
  call: DavCall,
  missing: Extract<Resource, { kind: "missing" }>,
  arriving?: FileRecord,
): Promise<Resource> {
  const { services, ownerId, client, now } = call;
  const location = toPlace(missing);
  const departure = await claimDeparture(services.db, ownerId, client, location, now);
  if (!departure || departure.isLeftover || departure.departed_id === arriving?.id) return missing;
  const file = await findFile(services.db, ownerId, departure.departed_id);
  if (file) await moveFileBack(call, file, location);
  else await restoreFile(services.db, ownerId, departure.departed_id, now);
  return findResource(services.db, ownerId, { names: missing.names, endsWithSlash: false }, now);
}

/** Moves the file back. Its text stays under the other name: as junk if that is the name of a backup, otherwise as a copy. */
async function moveFileBack(
  { services: { db }, ownerId, client, now }: DavCall,
  file: FileRecord,
  { folder_id, name }: ReturnType<typeof toPlace>,
): Promise<void> {
  const body = await readBody(db, ownerId, file);
  const moved = await updateDetails(db, ownerId, file.id, { file_name: name, folder_id });
  if (isRefusal(moved)) return;
  const other = { folder_id: file.folder_id, name: file.file_name };
  if (isBackupName(other.name)) {
    await setJunk(db, ownerId, other, Buffer.from(body), now);
    return;
  }
  const draft = { file_name: other.name, folder_id: other.folder_id, body, onto: "nothing" as const };
  const copy = await saveFile(db, ownerId, draft, now);
  if (isRefusal(copy)) return;
  await recordDeparture(db, ownerId, client, other, { departed_id: copy.file.id, isLeftover: true }, now);
}
