import { type Connection, type Db, WEAKNESSES } from "#db/client.ts";
import { describeMove } from "#db/core/installation/data-version.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { findLatestHeartbeat } from "#db/jobs/workers.server.ts";
import { verifyIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { isSilent, WORKER_SILENCE_MAX_MS } from "#domain/jobs/worker-silence.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";

type Check = "mongodb" | "postgresql" | "indexes" | "worker";
export type Readiness = {
  ok: boolean;
  checks: Record<Check, string>;
  /** Problems for an operator that are no reason to stop sending traffic. */
  warnings: string[];
};
export const READINESS_SHARED_MS = 2 * SECOND_MS;

const CHECK_TIMEOUT_MS = 3 * SECOND_MS;

const UNREACHABLE = "unreachable";

type ReadinessServices = { mongo: Connection; db: Db; queue: Queue; clock: Clock };

/** Runs all checks. Each returns "ok" or one word for the problem; a check that times out is "unreachable". */
export async function checkReadiness(parts: ReadinessServices): Promise<Readiness> {
  const [mongodb, postgresql, indexes, worker, weakness] = await Promise.all([
    limitCheckTime(checkStore(parts.db), UNREACHABLE),
    limitCheckTime(checkQueue(parts.queue), UNREACHABLE),
    limitCheckTime(checkIndexes(parts.mongo), UNREACHABLE),
    limitCheckTime(checkWorker(parts.db, parts.clock()), UNREACHABLE),
    limitCheckTime(parts.mongo.findWeakness(), null),
  ]);
  const checks = { mongodb, postgresql, indexes, worker };
  const movedTo = parts.db.writing.movedTo();
  const warnings = [
    ...(movedTo === null ? [] : [describeMove(movedTo)]),
    ...(weakness ? [WEAKNESSES[weakness]] : []),
  ];
  return { ok: Object.values(checks).every((state) => state === "ok"), checks, warnings };
}

/** Shares one check among all callers within two seconds, also while it is running. */
export function shareReadiness(check: () => Promise<Readiness>, clock: Clock): () => Promise<Readiness> {
  let shared: { checkedAtMs: number; state: Promise<Readiness> } | null = null;
  return () => {
    const ageMs = shared ? clock().getTime() - shared.checkedAtMs : -1;
    // An answer from the future, after the clock was set back, is computed again.
    if (!shared || ageMs < 0 || ageMs >= READINESS_SHARED_MS)
      shared = { checkedAtMs: clock().getTime(), state: check() };
    return shared.state;
  };
}

async function checkStore({ disk, writing }: Db): Promise<string> {
  if (await disk.askIsFull()) return "disk_full";
  return writing.movedTo() === null ? "ok" : "moved";
}

async function checkQueue(queue: Queue): Promise<string> {
  await queue.ping();
  return "ok";
}

async function checkIndexes(mongo: Connection): Promise<string> {
  const reports = await verifyIndexes(mongo.collection);
  return reports.every(({ state }) => state === "present") ? "ok" : "missing";
}

async function checkWorker(db: Db, now: Date): Promise<string> {
  const heartbeat = await findLatestHeartbeat(db, new Date(now.getTime() + WORKER_SILENCE_MAX_MS));
  if (!heartbeat) return "absent";
  return isSilent(heartbeat, now) ? "silent" : "ok";
}

async function limitCheckTime<State>(check: Promise<State>, otherwise: State): Promise<State> {
  const timeout = new Promise<State>((resolve) => {
    setTimeout(() => resolve(otherwise), CHECK_TIMEOUT_MS).unref();
  });
  return Promise.race([check.catch(() => otherwise), timeout]);
}
