/** Looks for records that only a half-done write could have left in the stores. */
import { bodyKey } from "#db/files/file-versions.server.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { queryPostgres } from "#tests/support/databases/query-postgres.ts";
import type { TestWeb } from "#tests/support/web.ts";

const MINE = { user_id: OWNER_ID };

type Db = TestWeb["db"];

/** Ignores the runs that were waiting before. */
export async function halfDone(
  { db, clock, databaseUrl }: TestWeb,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const waiting = [...(await waitingRuns(db))].filter((id) => !known.has(id));
  return [
    ...(await amongFiles(db, clock())),
    ...(await amongReminders(db)),
    ...(await amongRuns(waiting, databaseUrl)),
  ];
}

export async function waitingRuns({ job_runs }: Db): Promise<Set<string>> {
  return new Set((await job_runs.find({ status: "pending" }).toArray()).map(({ _id }) => _id));
}

async function amongFiles({ files, file_bodies, file_versions }: Db, now: Date): Promise<string[]> {
  const [kept, bodies, versions] = await Promise.all([
    files.find(MINE).toArray(),
    file_bodies.find(MINE).toArray(),
    file_versions.find(MINE).toArray(),
  ]);
  const texts = new Set(bodies.map(({ _id }) => _id));
  // Overdue files cannot be restored; they are removed in the background.
  const readable = kept.filter(({ expires_at }) => expires_at === null || expires_at > now);
  const services = new Set(readable.map(({ _id }) => _id.toHexString()));
  const living = kept.filter(({ deleted_at }) => deleted_at === null).map(({ file_name }) => file_name);
  return [
    ...readable
      .filter(({ _id, version, importing }) => !importing && !texts.has(bodyKey(_id, version)))
      .map(({ _id, version }) => `file ${_id} has no text for its version ${version}`),
    ...versions
      .filter(
        ({ file_id, version }) =>
          services.has(file_id.toHexString()) && !texts.has(bodyKey(file_id, version)),
      )
      .map(({ file_id, version }) => `version ${version} of ${file_id} has no text`),
    ...living.filter((name, i) => living.indexOf(name) !== i).map((name) => `two files are called ${name}`),
    ...kept
      .filter(({ deleted_at, expires_at }) => (deleted_at === null) !== (expires_at === null))
      .map(({ _id }) => `file ${_id} is in the trash without a date, or has a date outside it`),
  ];
}

async function amongReminders({ files, notes, boards, reminders }: Db): Promise<string[]> {
  const [due, ...named] = await Promise.all([
    reminders.find(MINE).toArray(),
    ...[files, notes, boards].map((of) => (of as typeof files).find(MINE).toArray()),
  ]);
  const existingIds = new Set(named.flat().map(({ _id }) => _id.toHexString()));
  return [
    ...due
      .filter(({ status, ack_at }) => (status === "acknowledged") !== (ack_at !== null))
      .map(({ _id, status }) => `reminder ${_id} is ${status} and acknowledged at another time`),
    ...due
      .filter(({ _id }) => !existingIds.has(_id.toHexString()))
      .map(({ _id }) => `reminder ${_id} has no note`),
  ];
}

/** A waiting run must be in the queue: otherwise no worker takes it. */
async function amongRuns(waiting: readonly string[], databaseUrl: string): Promise<string[]> {
  if (waiting.length === 0) return [];
  const rows = await queryPostgres(databaseUrl, "select data->>'run_id' as run_id from pgboss.job");
  const queued = new Set(rows.map(({ run_id }) => run_id));
  return waiting.filter((id) => !queued.has(id)).map((id) => `run ${id} waits and is in no queue`);
}
