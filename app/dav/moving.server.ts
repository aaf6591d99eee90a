import type { DavAnswer, DavCall } from "#app/dav/call.ts";
import { copyFile, copyJunk } from "#app/dav/copying.server.ts";
import type { FileResource, Resource, Transfer } from "#app/dav/resource.server.ts";
import { recordDepartedFile, restoreDepartedFile } from "#app/dav/returning.server.ts";
import { removeResource } from "#app/dav/writing.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { updateFolder } from "#db/files/folders/folders.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { listFileNotes } from "#db/notes/note-overview.server.ts";
import { type DavProblem, toProblem } from "#domain/dav/dav-problem.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";

/** Moves to a target that is free, or the text of a file onto a file. Null if done. */
export async function moveResource(call: DavCall, transfer: Transfer): Promise<DavAnswer | null> {
  const { services, ownerId, now } = call;
  const { source } = transfer;
  const target = await findMoveTarget(call, transfer);
  const name = required(target.names.at(-1), "name");
  const parent_id = target.parentId ?? null;
  if (source.kind === "folder") {
    const { id } = required(source.folder, "folder");
    const moved = await updateFolder(services.db, ownerId, id, { name, parent_id }, now);
    return isRefusal(moved) ? toProblem(moved) : null;
  }
  if (source.kind === "junk")
    return (await copyJunk(call, source, target)) ?? (await removeResource(call, source));
  if (source.kind === "missing") return null;
  // A name in another Unicode form leads to the source itself, which is then renamed.
  if (target.kind === "file" && target.file.id !== source.file.id)
    return (await copyFile(call, source, target)) ?? (await removeMovedSource(call, source));
  const changes = { file_name: name, folder_id: parent_id };
  const moved = await updateDetails(services.db, ownerId, source.file.id, changes);
  if (isRefusal(moved)) return toProblem(moved);
  if (target.kind === "junk") await removeResource(call, target);
  await recordDepartedFile(call, source, source.file);
  return null;
}

/** A file that was just moved away from the destination returns and gets the arriving text as its next version. */
async function findMoveTarget(call: DavCall, { source, target }: Transfer): Promise<Resource> {
  if (target.kind !== "missing" || source.kind === "folder") return target;
  return restoreDepartedFile(call, target, source.kind === "file" ? source.file : undefined);
}

const SHORT_LIVED_MS = HOUR_MS;
/** One version by the lock that made the file, one by the text. */
const SHORT_LIVED_VERSIONS = 2;

/**
 * Editors save by writing a temporary file and moving it over the edited one. The text becomes a version of the edited file. The temporary
 * file is deleted for good if it was made for that; an older file, or one with notes, goes to the trash.
 */
async function removeMovedSource(
  { services: { db }, ownerId, now }: DavCall,
  { file }: FileResource,
): Promise<DavProblem | null> {
  const notes = await listFileNotes(db, ownerId, file.id);
  const trashed = await trashFile(db, ownerId, file.id, now);
  if (isRefusal(trashed)) return toProblem(trashed);
  const isShortLived =
    now.getTime() - file.created_at.getTime() < SHORT_LIVED_MS && file.version <= SHORT_LIVED_VERSIONS;
  if (isShortLived && notes.length === 0) await purgeFile(db, ownerId, file.id, now);
  return null;
}
