import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { repairDerivedFields } from "#db/files/derived-fields.server.ts";
import { trashFile, trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash, purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreDeletion, restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { setMissingExpiryDates } from "#db/files/trash/trash-repair.server.ts";
import {
  dateInterruptedDeletions,
  finishDeletions,
  removeLeftovers,
  resetLivingFilesExpiry,
} from "#db/files/trash/trash-upkeep.server.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenFile, givenFiles, givenNote, givenReminder, givenUsage, onFile, toIds } from "./given.ts";

const DATE = new Date(NOON.getTime() + 7 * DAY_MS);
const OVERDUE = new Date(NOON.getTime() - DAY_MS);
const DELETED = { deleted_at: NOON, expires_at: DATE, expiring: true };
const BYTES = 18 + 2 * 16 + 2 * 2;

/** A file with two of everything that follows it through the trash: versions, notes, reminders, results of runs, shares and links. */
async function givenWhole(db: Db, file_name = "a.py", more = {}, dated: Date | null = null) {
  const file = await givenFile(db, file_name, more);
  const file_id = new ObjectId(file.id);
  const date = dated ? { expires_at: dated } : {};
  const notes = await Promise.all([1, 2].map(() => givenNote(db, onFile(file), date)));
  const result = { user_id: OWNER, file_id, version: 1, created_at: NOON, stdout: "1\n", stderr: "" };
  const share = { user_id: OWNER, created_at: NOON, expires_at: null, views: 0 };
  const shared = { file_id, place: 1, version: 1, file_name, language: "python", size_bytes: 9, lines: 1 };
  const other = { ...shared, file_id: new ObjectId(), place: 2 };
  const trashed = dated ? { bin_expires_at: dated } : {};
  const own = new Date(NOON.getTime() + 30 * DAY_MS);
  await Promise.all([
    ...notes.map(({ id }) => givenReminder(db, id, { file_id, expires_at: dated })),
    db.run_results.insertMany(
      [1, 2].map(() => ({ _id: new ObjectId(), ...result, expires_at: dated ?? own })) as never[],
    ),
    db.shares.insertMany(
      [
        { kind: "file", files: [shared], ...trashed },
        { kind: "file", files: [shared], ...trashed },
        { kind: "link", files: [shared] },
        { kind: "link", files: [shared] },
        { kind: "link", files: [shared, other] },
        { kind: "link", files: [shared, other] },
      ].map((record, slot) => ({
        _id: new ObjectId().toHexString(),
        slot: slot + file_name.charCodeAt(0) * 10,
        ...share,
        ...record,
      })) as never[],
    ),
  ]);
  return file;
}

const givenTrashed = (db: Db, name?: string) => givenWhole(db, name, DELETED, DATE);

export const TRASH_VERBS: Record<string, VerbRow> = {
  "file-deletion/trashFiles": row(
    (db) => Promise.all([givenWhole(db), givenFile(db, "b.py")]),
    (db, files) => trashFiles(db, OWNER, toIds(files), NOON),
  ),
  "file-deletion/trashFile": row(givenFile, (db, { id }) => trashFile(db, OWNER, id, NOON)),
  "file-restoring/restoreFile": row(givenTrashed, (db, { id }) => restoreFile(db, OWNER, id, NOON)),
  "file-restoring/restoreDeletion": row(
    (db) => givenFiles(db, DELETED),
    (db) => restoreDeletion(db, OWNER, NOON, NOON),
  ),
  "file-removal/purgeFile": row(
    async (db) => (await Promise.all([givenTrashed(db), givenUsage(db, BYTES)]))[0],
    (db, { id }) => purgeFile(db, OWNER, id, NOON),
  ),
  "file-removal/emptyTrash": row(
    (db) => Promise.all([givenFiles(db, DELETED), givenUsage(db, 36)]),
    (db) => emptyTrash(db, OWNER, NOON),
  ),
  "trash-repair/setMissingExpiryDates": row(
    (db) => givenFile(db, "a.py", { deleted_at: NOON, expires_at: null }),
    (db) => setMissingExpiryDates(db, NOON),
    {
      finish: async (db) => {
        await setMissingExpiryDates(db, NOON);
        await dateInterruptedDeletions(db, new Date(NOON.getTime() + DAY_MS));
      },
    },
  ),
  "trash-upkeep/finishDeletions": row(
    (db) => givenWhole(db, "a.py", { deleted_at: OVERDUE, expires_at: OVERDUE, expiring: false }, OVERDUE),
    (db) => finishDeletions(db, NOON),
  ),
  "trash-upkeep/dateInterruptedDeletions": row(
    (db) => givenWhole(db, "a.py", { deleted_at: OVERDUE, expires_at: DATE, expiring: false }),
    (db) => dateInterruptedDeletions(db, NOON),
  ),
  "trash-upkeep/resetLivingFilesExpiry": row(
    async (db) => {
      const file = await givenWhole(db, "a.py", {}, DATE);
      const dated = { $set: { expires_at: DATE } };
      await Promise.all([db.file_versions.updateMany({}, dated), db.file_bodies.updateMany({}, dated)]);
      return file;
    },
    (db) => resetLivingFilesExpiry(db),
  ),
  "derived-fields/repairDerivedFields": row(
    async (db) => {
      await givenFile(db);
      await givenFile(db, "b.py");
      await db.files.updateMany({}, { $unset: { name_order: "", tag_keys: "" } } as object);
    },
    (db) => repairDerivedFields(db, null),
  ),
  "trash-upkeep/removeLeftovers": row(
    async (db) => {
      await givenFile(db);
      await db.files.deleteMany({});
    },
    (db) => removeLeftovers(db, { version: null, body: null }, new Date(Date.now() + 2 * DAY_MS)),
  ),
};
