/**
 * Kills processes of a running product with SIGKILL, one after the other, while writers write, and times how long the product needs to
 * recover: the process is new, `/readyz` succeeds, a save is acknowledged and a worker has taken a job.
 */
import { setTimeout as pause } from "node:timers/promises";
import { acknowledged, type Caller } from "./caller.ts";
import { findPid, type ProcessName } from "./processes.ts";

export type Kill = { name: ProcessName; backAfterMs: number };

type KillPlan = {
  caller: Caller;
  launcherPid: number;
  names: readonly ProcessName[];
  /** Least time between two kills of the same process: the launcher gives up on a process that dies more often than it allows. */
  sameEveryMs: number;
  /** Called right after each kill, during the recovery. */
  meanwhile?: (name: ProcessName) => Promise<void>;
  onBack?: (kill: Kill) => void;
};

const POLL_MS = 50;
const GIVE_UP_MS = 120_000;
const UP_TO_MS = 700;

export async function killInTurn(plan: KillPlan): Promise<Kill[]> {
  const { caller, launcherPid, names, sameEveryMs } = plan;
  const lastAt = new Map<ProcessName, number>();
  const kills: Kill[] = [];
  for (const name of names) {
    const waited = performance.now() - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY);
    await pause(Math.max(0, sameEveryMs - waited) + Math.random() * UP_TO_MS);
    const pid = findPid(launcherPid, name);
    if (pid === null) throw new Error(`There is no ${name} process to kill`);
    const killedAt = performance.now();
    lastAt.set(name, killedAt);
    process.kill(pid, "SIGKILL");
    await plan.meanwhile?.(name);
    await back(caller, () => {
      const now = findPid(launcherPid, name);
      return now !== null && now !== pid;
    }).catch((error) => {
      throw new Error(`kill ${kills.length + 1}, of ${name}: ${(error as Error).message}`);
    });
    const kill = { name, backAfterMs: performance.now() - killedAt };
    kills.push(kill);
    plan.onBack?.(kill);
  }
  return kills;
}

async function back(caller: Caller, isNew: () => boolean): Promise<void> {
  const until = async (what: () => string, isSo: () => Promise<boolean> | boolean) => {
    const end = performance.now() + GIVE_UP_MS;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`${what()}: not within ${GIVE_UP_MS / 1000} s`);
      await pause(POLL_MS);
    }
  };
  await until(() => "a new process", isNew);
  let checks: unknown = "nothing";
  await until(
    () => `ready (it says ${JSON.stringify(checks)})`,
    async () => {
      const ready = await caller.call("GET", "/readyz");
      checks = ready?.body.checks ?? "nothing";
      return ready?.status === 200;
    },
  );
  const save = () => caller.call("PUT", "/api/files/probe.txt", `${performance.now()}`);
  await until(
    () => "a save",
    async () => acknowledged(await save(), "the probe"),
  );
  await until(
    () => "a job",
    () => jobIsTaken(caller),
  );
}

const ENDED = new Set(["completed", "skipped", "failed"]);
const TAKEN_WITHIN_MS = 15_000;

/** A run that reached any end was taken by a living worker. */
async function jobIsTaken(caller: Caller): Promise<boolean> {
  const trigger = await caller.call("POST", "/api/jobs/stuck_monitor/trigger");
  if (trigger?.status !== 202) return false;
  const end = performance.now() + TAKEN_WITHIN_MS;
  while (performance.now() < end) {
    const answer = await caller.call("GET", `/api/jobs/runs/${trigger.body.run_id}`);
    const run = answer?.body.run as { status: string } | undefined;
    if (run && ENDED.has(run.status)) return true;
    await pause(POLL_MS);
  }
  return false;
}
