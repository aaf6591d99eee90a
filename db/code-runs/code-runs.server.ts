import type { Listener } from "#db/jobs/listener.ts";
import type { CodeRunOrder, CodeRunResult } from "#domain/code-runs/code-run.ts";
import type { Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";

/**
 * Programs on their way to a worker and results on their way back: one row each, gone as soon as the result is delivered. The
 * queue's own job carries only the row's id, so that neither program nor output stays behind in it. The table is unlogged:
 * it reaches neither the write-ahead log nor a backup, and a crash of the database empties it.
 */
type Sql = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

export type Bounds = { perUser: number; queued: number };
/** How many runs of the same person are ahead of it, or why it was not taken. */
export type Added = { ahead: number } | "user_has_too_many" | "queue_full";
export type Progress =
  | { state: "queued" | "running" }
  | { state: "finished"; result: CodeRunResult | Refusal };

type ClaimedRun = { userId: string; order: CodeRunOrder };

export type CodeRuns = {
  /** Counts one more run of someone; the seconds to wait when that is too many within a minute, else null. */
  countAgainst(userId: string, perMinute: number): Promise<number | null>;
  add(id: string, userId: string, order: CodeRunOrder, bounds: Bounds): Promise<Added>;
  /** Claims a program, once: a second claim, or one after it was withdrawn, gets null. */
  claim(id: string): Promise<ClaimedRun | null>;
  finish(id: string, result: CodeRunResult | Refusal): Promise<void>;
  /** How far it is; a finished one is delivered and forgotten. Null for one that is not known. */
  collect(id: string): Promise<Progress | null>;
  /** Forgets a run, and stops it where it is running. */
  withdraw(id: string): Promise<void>;
  /** Calls back whenever something happened to the run with this id; returns what ends it. */
  watch(id: string, changed: () => void): Promise<() => void>;
  onWithdrawn(stop: (id: string) => void): Promise<void>;
  close(): Promise<void>;
};

const CHANGED = "codeshelf_code_run";
const WITHDRAWN = "codeshelf_code_run_withdrawn";
// Longer than any run waits and takes: what is older was left by a process that died.
const LEFT_BEHIND = "interval '5 minutes'";

export async function releaseCodeRuns(sql: Sql): Promise<void> {
  await sql("create schema if not exists codeshelf", []);
  await sql(
    `create unlogged table if not exists codeshelf.code_runs (
       id text primary key, user_id text not null, state text not null default 'queued',
       program jsonb, result jsonb, created_at timestamptz not null default now())`,
    [],
  );
  await sql(
    `create unlogged table if not exists codeshelf.code_run_counts (
       user_id text primary key, started_at timestamptz not null, runs int not null)`,
    [],
  );
}

const COUNT = `
  insert into codeshelf.code_run_counts as c values ($1, now(), 1)
  on conflict (user_id) do update set
    runs = case when c.started_at < now() - interval '1 minute' then 1 else c.runs + 1 end,
    started_at = case when c.started_at < now() - interval '1 minute' then now() else c.started_at end
  returning runs, ceil(extract(epoch from started_at + interval '1 minute' - now()))::int as seconds_left`;

// Two at once may both find the last free place. That is accepted, because the limits only keep the queue short.
const ADD = `
  with old as (delete from codeshelf.code_runs where created_at < now() - ${LEFT_BEHIND}),
       counted as (select count(*) filter (where user_id = $2)::int as mine,
                          count(*) filter (where state = 'queued')::int as queued
                   from codeshelf.code_runs where state <> 'finished'),
       added as (insert into codeshelf.code_runs (id, user_id, program)
                 select $1, $2, $3::jsonb from counted where mine < $4 and queued < $5 returning id)
  select mine, queued, exists (select from added) as added from counted`;

const CLAIM = `
  with found as (select id, user_id, program from codeshelf.code_runs where id = $1 and state = 'queued' for update),
       claimed as (update codeshelf.code_runs r set state = 'running', program = null from found where r.id = found.id)
  select user_id, program, pg_notify('${CHANGED}', id) from found`;

const FINISH = `
  with finished as (update codeshelf.code_runs set state = 'finished', result = $2::jsonb where id = $1 returning id)
  select pg_notify('${CHANGED}', id) from finished`;

const COLLECT = `
  with here as (select id, state, result from codeshelf.code_runs where id = $1),
       gone as (delete from codeshelf.code_runs where id = $1 and state = 'finished')
  select state, result from here`;

const WITHDRAW = `
  with gone as (delete from codeshelf.code_runs where id = $1 returning id, state)
  select pg_notify('${WITHDRAWN}', id) from gone where state = 'running'`;

export function codeRunsIn(sql: Sql, listen: () => Listener): CodeRuns {
  const watchers = new Map<string, () => void>();
  let listener: Listener | null = null;
  const hear = async (channel: string, said: (payload: string) => void) => {
    listener ??= listen();
    await listener.on(channel, said);
  };

  return {
    countAgainst: async (userId, perMinute) => {
      const row = itemAt(await sql(COUNT, [userId]), 0);
      return Number(row.runs) > perMinute ? Math.max(1, Number(row.seconds_left)) : null;
    },
    add: async (id, userId, order, { perUser, queued }) => {
      const row = itemAt(await sql(ADD, [id, userId, JSON.stringify(order), perUser, queued]), 0);
      if (row.added) return { ahead: Number(row.mine) };
      return Number(row.mine) >= perUser ? "user_has_too_many" : "queue_full";
    },
    claim: async (id) => {
      const [row] = await sql(CLAIM, [id]);
      return row ? { userId: String(row.user_id), order: row.program as CodeRunOrder } : null;
    },
    finish: async (id, result) => void (await sql(FINISH, [id, JSON.stringify(result)])),
    collect: async (id) => ((await sql(COLLECT, [id]))[0] as Progress | undefined) ?? null,
    withdraw: async (id) => void (await sql(WITHDRAW, [id])),
    watch: async (id, changed) => {
      watchers.set(id, changed);
      // The waiting process also asks each second, so without the listener an answer is late and not lost.
      await hear(CHANGED, (said) => watchers.get(said)?.()).catch(() => {});
      return () => void watchers.delete(id);
    },
    onWithdrawn: (stop) => hear(WITHDRAWN, stop),
    close: async () => listener?.close(),
  };
}
