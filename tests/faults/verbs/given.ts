/** Records for verbs of the store, written by as few writes as possible. */

import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { bodyKey } from "#db/files/file-versions.server.ts";
import type { JobRun } from "#db/jobs/job-runs.server.ts";
import { createRun } from "#db/jobs/job-runs.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import type { PushSubscriptionDoc } from "#db/reminders/push/documents.ts";
import { hashEndpoint } from "#db/reminders/push/push-subscriptions.server.ts";
import { NO_DETAILS } from "#domain/files/file-details.ts";
import { toNameOrder } from "#domain/files/name-order.ts";
import { type NoteTarget, targetFields, targetKey } from "#domain/notes/note.ts";
import { NEW_NOTE } from "#domain/notes/note-schema.ts";
import { required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { OWNER } from "../verb-row.ts";

export const LATER = new Date(NOON.getTime() + HOUR_MS);
export const MONTH_AGO = new Date(NOON.getTime() - 31 * DAY_MS);
export const HASH_KEY = "a key of tests";
export const ME = { id: OWNER, credential_epoch: 0 };

/** A save whose last write fails may already be visible: its text is never removed, and keeps its number. */
export const ANOTHER_NUMBER = {
  version: "a save that failed may have used a number up",
  last_version: "a save that failed may have used a number up",
  file_versions: "a save that failed may stand in the history",
  file_bodies: "a save that failed may stand in the history",
  bytes: "a save that failed may stand in the history",
};

export async function givenUser(db: Db, more: object = {}): Promise<void> {
  const names = { first_name: "Dana", last_name: null, username: null, photo_url: null };
  const chosen = { role: "regular" as const, has_seen_welcome_modal: false, locale: null, timezone: null };
  await db.users.insertOne({
    _id: OWNER,
    ...names,
    ...chosen,
    created_at: NOON,
    last_login_at: NOON,
    sessions: [],
    ...more,
  });
}

/** Different for every name, and the same in every run. */
const numberFor = (name: string) =>
  [...name].reduce((sum, letter) => sum * 7 + required(letter.codePointAt(0)), 0) % 1000;

type GivenFile = Partial<FileDoc> & { versions?: number };

/** A file with its versions and texts, as saves and the search index leave it. */
export async function givenFile(db: Db, file_name = "a.py", options: GivenFile = {}): Promise<FileRecord> {
  const { versions = 2, ...more } = options;
  const doc: FileDoc = {
    _id: new ObjectId(),
    user_id: OWNER,
    ...{ file_name, name_order: toNameOrder(file_name), language: "python" },
    ...{ ...NO_DETAILS, tag_keys: [], repo: null, source_url: null },
    ...{ version: versions, last_version: versions, size_bytes: 9, lines: 1 },
    ...{ is_favorite: false, is_pinned: false, created_at: NOON, updated_at: NOON, last_opened_at: null },
    ...{ deleted_at: null, expires_at: null, n: numberFor(file_name) },
    ...more,
  };
  const numbers = Array.from({ length: versions }, (_, i) => i + 1);
  const dated = doc.expiring ? { expires_at: required(doc.expires_at) } : {};
  await Promise.all([
    db.files.insertOne(doc),
    db.file_versions.insertMany(
      numbers.map((version) => ({
        ...{ _id: new ObjectId(), file_id: doc._id, user_id: OWNER, version, file_name, language: "python" },
        ...{ size_bytes: 9, lines: 1, created_at: NOON, ...dated },
      })),
    ),
    db.file_bodies.insertMany(
      numbers.map((n) => ({ _id: bodyKey(doc._id, n), user_id: OWNER, body: `print(${n})\n`, ...dated })),
    ),
  ]);
  return toFile(doc);
}

export const toIds = (files: readonly { id: string }[]) => files.map(({ id }) => id);

export const givenFiles = (db: Db, more: GivenFile = {}) =>
  Promise.all(["a.py", "b.py"].map((name) => givenFile(db, name, more)));

/** A library that is already counted, as after a first save. */
export async function givenUsage(db: Db, bytes: number): Promise<void> {
  await db.library_usage.insertOne({ _id: OWNER, bytes, changes: 0, counted_at: NOON });
}

export async function givenCountedFile(db: Db): Promise<FileRecord> {
  const [file] = await Promise.all([givenFile(db), givenUsage(db, 18)]);
  return file;
}

export const onFile = ({ id }: { id: string }): NoteTarget => ({ kind: "file", file_id: id });
export const onBoard = (id: string): NoteTarget => ({ kind: "board", board_id: id });
export const inRepo = (repo_path = "a.py"): NoteTarget => ({
  kind: "repo",
  repo_name: "dana/tools",
  repo_path,
});

let places = 0;

export async function givenNote(
  db: Db,
  target: NoteTarget,
  more: Partial<NoteDoc> = {},
): Promise<NoteRecord> {
  places += 1;
  const doc: NoteDoc = {
    ...{ _id: new ObjectId(), user_id: OWNER, kind: target.kind, target: targetKey(target) },
    ...targetFields(target),
    ...{ ...NEW_NOTE, mode: "surface", content: "Water the plants", anchor: null },
    ...{ created_at: NOON, updated_at: NOON, deleted_at: null },
    ...more,
  };
  const slots = doc.deleted_at ? {} : { user_slot: 500 + (places % 500), target_slot: places % 40 };
  await db.notes.insertOne({ ...slots, ...doc });
  return toNote(doc);
}

export async function givenReminder(db: Db, noteId: string, more: Partial<ReminderDoc> = {}): Promise<void> {
  await db.reminders.insertOne({
    ...{
      _id: new ObjectId(noteId),
      user_id: OWNER,
      file_id: null,
      remind_at: NOON,
      status: "pending" as const,
    },
    ...{
      ack_at: null,
      created_at: NOON,
      changed_at: NOON,
      expires_at: null,
      push_at: NOON,
      push_claim: null,
    },
    ...{ push_attempts: 0, push_sent_to: [] },
    ...more,
  });
}

export async function givenDevice(db: Db, name: string, more: Partial<PushSubscriptionDoc> = {}) {
  const endpoint = `https://push.example/${name}`;
  const doc: PushSubscriptionDoc = {
    ...{ _id: new ObjectId(), user_id: OWNER, endpoint, endpoint_hash: hashEndpoint(HASH_KEY, endpoint) },
    ...{
      p256dh: "p",
      auth: "a",
      locale: "en" as const,
      browser: "firefox" as const,
      system: "linux" as const,
    },
    ...{ session_key: null, created_at: NOON, active_at: MONTH_AGO, last_success_at: null },
    ...{ failing_since: MONTH_AGO, not_before: null, epoch: 0 },
    ...more,
  };
  await db.push_subscriptions.insertOne(doc);
  const { _id, ...rest } = doc;
  return { id: _id.toHexString(), ...rest };
}

export const givenRun = (db: Db): Promise<JobRun> => createRun(db, "trash_check", "manual", NOON);

export async function givenRunning(db: Db): Promise<JobRun> {
  const run = await givenRun(db);
  const running = { status: "running" as const, started_at: NOON, heartbeat_at: NOON, worker_id: "w1" };
  await db.job_runs.updateOne({ _id: run.run_id }, { $set: running });
  return { ...run, ...running };
}

export async function givenFailed(db: Db): Promise<JobRun> {
  const run = await givenRunning(db);
  await db.job_runs.updateOne({ _id: run.run_id }, { $set: { status: "failed" } });
  return { ...run, status: "failed" };
}

/** Accepts every run and does nothing: these tests are not about PostgreSQL. */
export const quietQueue = { send: async () => {} } as unknown as Queue;

export const sha1 = (text: string) => createHash("sha1").update(text).digest("hex");
