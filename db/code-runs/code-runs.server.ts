import type pg from "pg";
import type { Listener } from "#db/core/postgres-listener.ts";
import type { CodeRunOrder, CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { OutputChunk } from "#domain/code-runs/run-output.ts";
import type { Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/**
 * Programs on their way to a worker and results on their way back: one row per run, deleted when the result is delivered, with
 * its output beside it. The queue's own job contains only the row's id, so that no program or output remains there. The tables
 * are unlogged: they are in neither the write-ahead log nor a backup, and a crash of the database empties them. Programs,
 * outputs and results are JSON in text columns, because jsonb can hold neither NUL nor half a surrogate pair.
 */
type Sql = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

type Bounds = { perMinute: number; perUser: number; queued: number };
/** `ahead` counts the person's earlier runs. Otherwise the reason to refuse the run, or the seconds until it may be sent again. */
export type Added = { ahead: number } | { waitSeconds: number } | "user_has_too_many" | "queue_full";
type Progress =
  /** `ahead` counts the programs that start before it. `isTaken`: a living worker prepares its start. */
  | { state: "queued"; ahead: number; isTaken: boolean; isLost: boolean }
  /** `isLost`: the worker of the run is gone. */
  | { state: "running"; isStopping: boolean; isLost: boolean }
  | { state: "stopped" }
  | { state: "finished"; result: CodeRunResult | Refusal };

/** `isLive`: the output is delivered while the program runs. */
type NewRun = { id: string; userId: string; order: CodeRunOrder; isLive: boolean };
type ClaimedRun = Omit<NewRun, "id">;
/** A part of the output; its number marks where the next parts begin. */
type OutputPart = { number: number; chunks: OutputChunk[] };

export type CodeRuns = {
  /** Counts a run of the person and queues it if the limits allow it. */
  add(run: NewRun, bounds: Bounds): Promise<Added>;
  /** Records that this worker will start a program and returns its owner; null if the program no longer waits. */
  take(id: string): Promise<string | null>;
  /** Claims a program once. A second claim, or one after it was withdrawn or stopped, gets null. */
  claim(id: string): Promise<ClaimedRun | null>;
  /** Adds output of a running program. Output of an ended run is dropped. */
  appendOutput(id: string, part: OutputPart): Promise<void>;
  listOutput(id: string, afterNumber: number): Promise<OutputPart[]>;
  finish(id: string, result: CodeRunResult | Refusal): Promise<void>;
  /** Returns the state of a run; a run that has ended is returned once and deleted. Null if it is unknown. */
  collect(id: string): Promise<Progress | null>;
  /** Stops a run of this person before or after its start. False if the run is not theirs. */
  stop(id: string, userId: string): Promise<boolean>;
  /** Deletes a run and stops it if it is running. Returns whether it was running. */
  withdraw(id: string): Promise<boolean>;
  /** Calls back whenever the state of this run changes; returns a function that ends this. */
  watch(id: string, changed: () => void): Promise<() => void>;
  onWithdrawn(end: (id: string) => void): Promise<void>;
  onStopped(end: (id: string) => void): Promise<void>;
  close(): Promise<void>;
};

const CHANGED = "codeshelf_code_run";
const WITHDRAWN = "codeshelf_code_run_withdrawn";
const STOPPED = "codeshelf_code_run_stopped";
// The class of the advisory locks that show which workers are alive.
const WORKER_LOCKS = 7_305_772;
// Longer than any run waits and takes: older rows were left by dead processes.
const LEFT_BEHIND = "interval '5 minutes'";

// The table of releases before live output; nothing in it is older than a run.
const DROP_JSONB_TABLE = `
  do $$ begin
    if exists (select from information_schema.columns
               where table_schema = 'codeshelf' and table_name = 'code_runs' and data_type = 'jsonb')
    then drop table codeshelf.code_runs; end if;
  end $$`;

export async function createCodeRunTables(sql: Sql): Promise<void> {
  await sql("create schema if not exists codeshelf", []);
  await sql(DROP_JSONB_TABLE, []);
  await sql(
    `create unlogged table if not exists codeshelf.code_runs (
       id text primary key, user_id text not null, state text not null default 'queued', is_live boolean not null,
       priority int not null, is_stopping boolean not null default false, order_json text, result_json text,
       created_at timestamptz not null default now())`,
    [],
  );
  await sql("alter table codeshelf.code_runs add column if not exists worker int", []);
  await sql(
    `create unlogged table if not exists codeshelf.code_run_output (
       run_id text not null references codeshelf.code_runs (id) on delete cascade,
       number int not null, chunks_json text not null, primary key (run_id, number))`,
    [],
  );
  await sql(
    `create unlogged table if not exists codeshelf.code_run_counts (
       user_id text primary key, started_at timestamptz not null, runs int not null)`,
    [],
  );
}

// Two runs at once may both get the last slot. That is accepted, because the limits only keep the queue short.
const ADD = `
  with old as (delete from codeshelf.code_runs where created_at < now() - ${LEFT_BEHIND}),
       minute as (insert into codeshelf.code_run_counts as c values ($2, now(), 1)
                  on conflict (user_id) do update set
                    runs = case when c.started_at < now() - interval '1 minute' then 1 else c.runs + 1 end,
                    started_at = case when c.started_at < now() - interval '1 minute' then now() else c.started_at end
                  returning runs, ceil(extract(epoch from started_at + interval '1 minute' - now()))::int as seconds_left),
       counted as (select count(*) filter (where user_id = $2)::int as mine,
                          count(*) filter (where state = 'queued')::int as queued
                   from codeshelf.code_runs where state in ('queued', 'running')),
       added as (insert into codeshelf.code_runs (id, user_id, order_json, is_live, priority)
                 select $1, $2, $3, $4, -mine from counted, minute
                 where runs <= $7 and mine < $5 and queued < $6 returning id)
  select mine, runs, seconds_left, exists (select from added) as added from counted, minute`;

const TAKE =
  "update codeshelf.code_runs set worker = $2 where id = $1 and state = 'queued' returning user_id";

const CLAIM = `
  with found as (select id, user_id, order_json, is_live from codeshelf.code_runs
                 where id = $1 and state = 'queued' for update),
       claimed as (update codeshelf.code_runs r set state = 'running', order_json = null, worker = $2
                   from found where r.id = found.id)
  select user_id, order_json, is_live, pg_notify('${CHANGED}', id) from found`;

// The lock makes a run that is being deleted count as gone.
const APPEND = `
  with run as (select id from codeshelf.code_runs where id = $1 and state = 'running' for key share),
       added as (insert into codeshelf.code_run_output select id, $2::int, $3 from run returning run_id)
  select pg_notify('${CHANGED}', run_id) from added`;

const LIST_OUTPUT = `
  select number, chunks_json from codeshelf.code_run_output where run_id = $1 and number > $2 order by number`;

const FINISH = `
  with finished as (update codeshelf.code_runs set state = 'finished', order_json = null, result_json = $2
                    where id = $1 and state in ('queued', 'running') returning id)
  select pg_notify('${CHANGED}', id) from finished`;

const COLLECT = `
  with here as (select * from codeshelf.code_runs where id = $1),
       gone as (delete from codeshelf.code_runs where id = $1 and state in ('finished', 'stopped')),
       living as (select from pg_locks l, pg_database d, here
                  where d.datname = current_database() and l.database = d.oid and l.locktype = 'advisory'
                    and l.classid = ${WORKER_LOCKS} and l.objid = here.worker::oid and l.granted),
       waiting as (select from pgboss.job
                   where name = 'code_run' and state < 'active' and data #>> '{payload,code_run_id}' = $1)
  select state, result_json, is_stopping, exists (select from living) as is_taken,
         case when exists (select from living) then false
              when state = 'queued' then not exists (select from waiting)
              else worker is not null end as is_lost,
         (select count(*)::int from codeshelf.code_runs other
          where other.state = 'queued'
            and (other.priority > here.priority
                 or (other.priority = here.priority and other.created_at < here.created_at))) as ahead
  from here`;

const STOP = `
  with found as (select id, state from codeshelf.code_runs where id = $1 and user_id = $2 for update),
       stopped as (update codeshelf.code_runs r
                   set is_stopping = true, state = case r.state when 'queued' then 'stopped' else r.state end
                   from found where r.id = found.id)
  select pg_notify('${CHANGED}', id), case state when 'running' then pg_notify('${STOPPED}', id) end from found`;

const WITHDRAW = `
  with gone as (delete from codeshelf.code_runs where id = $1 returning id, state)
  select pg_notify('${WITHDRAWN}', id) from gone where state = 'running'`;

function toProgress(row: Record<string, unknown>): Progress {
  const { state, ahead, is_stopping, is_taken, is_lost, result_json } = row;
  const isLost = is_lost === true;
  if (state === "finished") return { state, result: JSON.parse(String(result_json)) };
  if (state === "running") return { state, isStopping: is_stopping === true, isLost };
  if (state === "stopped") return { state };
  return { state: "queued", ahead: Number(ahead), isTaken: is_taken === true, isLost };
}

const toClaimedRun = ({ user_id, order_json, is_live }: Record<string, unknown>): ClaimedRun => ({
  userId: String(user_id),
  order: JSON.parse(String(order_json)),
  isLive: is_live === true,
});

/** A living worker holds this lock; it ends with the worker's connection. */
export const holdWorkerNumber = (number: number) => (client: pg.Client) =>
  client.query("select pg_advisory_lock_shared($1, $2)", [WORKER_LOCKS, number]);

export function createCodeRuns(sql: Sql, listen: () => Listener, workerNumber: number | null): CodeRuns {
  const watchers = new Map<string, () => void>();
  let listener: Listener | null = null;
  const subscribe = async (channel: string, onPayload: (payload: string) => void) => {
    listener ??= listen();
    await listener.on(channel, onPayload);
  };

  return {
    add: async ({ id, userId, order, isLive }, { perMinute, perUser, queued }) => {
      const values = [id, userId, JSON.stringify(order), isLive, perUser, queued, perMinute];
      const row = itemAt(await sql(ADD, values), 0);
      if (row.added) return { ahead: Number(row.mine) };
      if (Number(row.runs) > perMinute) return { waitSeconds: Math.max(1, Number(row.seconds_left)) };
      return Number(row.mine) >= perUser ? "user_has_too_many" : "queue_full";
    },
    take: async (id) => {
      const [row] = await sql(TAKE, [id, workerNumber]);
      return row ? String(row.user_id) : null;
    },
    claim: async (id) => {
      const [row] = await sql(CLAIM, [id, workerNumber]);
      return row ? toClaimedRun(row) : null;
    },
    appendOutput: async (id, { number, chunks }) =>
      void (await sql(APPEND, [id, number, JSON.stringify(chunks)])),
    listOutput: async (id, afterNumber) => {
      const rows = await sql(LIST_OUTPUT, [id, afterNumber]);
      return rows.map(({ number, chunks_json }) => ({
        number: Number(number),
        chunks: JSON.parse(String(chunks_json)),
      }));
    },
    finish: async (id, result) => void (await sql(FINISH, [id, JSON.stringify(result)])),
    collect: async (id) => {
      const [row] = await sql(COLLECT, [id]);
      return row ? toProgress(row) : null;
    },
    stop: async (id, userId) => (await sql(STOP, [id, userId])).length > 0,
    withdraw: async (id) => (await sql(WITHDRAW, [id])).length > 0,
    watch: async (id, changed) => {
      watchers.set(id, changed);
      // The waiting process also polls every second, so without the listener an answer is late but not lost.
      await subscribe(CHANGED, (changedId) => watchers.get(changedId)?.()).catch(() => {});
      return () => void watchers.delete(id);
    },
    onWithdrawn: (end) => subscribe(WITHDRAWN, end),
    onStopped: (end) => subscribe(STOPPED, end),
    close: async () => listener?.close(),
  };
}
