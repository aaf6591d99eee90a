/**
 * Runs verbs of the store under the faults of a replica set, on an engine with fail points. A verb runs once undisturbed; every disturbed
 * run must reach the same stored state: at once if it was acknowledged, otherwise after a repetition.
 */

import type { Document } from "mongodb";
import { expect } from "vitest";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { isStorageFault } from "#db/core/faults.server.ts";
import { removeLeftovers } from "#db/files/trash/trash-upkeep.server.ts";
import { recountUsage } from "#db/files/usage/library-usage.server.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { NOON } from "#tests/support/store.ts";
import { type FaultServers, openFaultServers } from "./fault-servers.ts";
import type { Halt } from "./halting.ts";
import { emptyCollections, maskRandom, type Snapshot, takeSnapshot } from "./snapshots.ts";
import type { VerbRow } from "./verb-row.ts";

const SILENCE_MS = 30;

type Fault = { data: Document; times: number; isSilence?: true };
const fails = (errorCode: number): Fault => ({ data: { errorCode }, times: 1 });

/** The effect of a replica set member on a write, and on the driver's repetition of it if `times` is 2. */
export const FAULTS: Record<string, Fault> = {
  "10107 not the primary": fails(10107),
  "11602 interrupted": fails(11602),
  "189 stepped down": fails(189),
  "91 shutting down": fails(91),
  "64 no majority in time": { data: { writeConcernError: { code: 64, errmsg: "timed out" } }, times: 1 },
  "connection lost before": { data: { closeConnection: true }, times: 1 },
  "connection lost after": { data: { closeConnectionAfterCommand: true }, times: 1 },
  silence: { data: { blockConnection: true, blockTimeMS: SILENCE_MS }, times: 1, isSilence: true },
  "10107 twice": { data: { errorCode: 10107 }, times: 2 },
};

/** Search aids and counts that are recomputed: after another try they may hold more. */
const SEARCH_AIDS: readonly CollectionName[] = ["search_segments", "search_chunks", "search_numbers"];
const AFTER_ANOTHER_TRY = ["n", "changes", "deleting", "stored_at", "counted_at", "uploads"];

type Run = { given: unknown; result: unknown; error: unknown; emitted: string[] };
type Undisturbed = Pick<Run, "result" | "emitted"> & {
  state: Snapshot;
  writes: number;
  /** The number of documents of each write of many. */
  manyWrites: number[];
};
/** A verb, its collections, and their state after an undisturbed run. */
type Prepared = { verb: VerbRow; names: CollectionName[]; undisturbed: Undisturbed };

export async function openFaultStore() {
  const servers = await openFaultServers();
  return {
    prepare: (verb: VerbRow) => prepare(servers, verb),
    strikeNth: (prepared: Prepared, fault: Fault, nth: number) => strikeNth(servers, prepared, fault, nth),
    stopNth: (prepared: Prepared, nth: number) => stopNth(servers, prepared, nth),
  };
}

type Strike = (act: () => Promise<void>) => Promise<void>;

async function run({ db, struck, emitted }: FaultServers, verb: VerbRow, strike: Strike): Promise<Run> {
  const arranged = await verb.arrange(db);
  emitted.length = 0;
  const outcome: Run = { given: arranged, result: null, error: null, emitted: [] };
  await strike(async () => {
    try {
      // A separate process remembers nothing of the run before.
      outcome.result = maskRandom({ result: await verb.act({ ...struck }, arranged) });
    } catch (error) {
      outcome.error = error;
    }
  });
  return { ...outcome, emitted: [...emitted].sort() };
}

async function prepare(servers: FaultServers, verb: VerbRow): Promise<Prepared> {
  const { db, used, halting, configure } = servers;
  await emptyCollections(db, [...used]);
  used.clear();
  let [writes, manyWrites]: [number, number[]] = [0, []];
  const { result, error, emitted } = await run(servers, verb, async (act) => {
    // Strikes every write without effect, which counts them.
    const before = await configure("alwaysOn", { blockConnection: true, blockTimeMS: 0 });
    manyWrites = (await halting.during(0, act)).sizes;
    writes = (await configure("off")) - before;
  });
  if (error) throw error;
  const names = [...used];
  const state = await takeSnapshot(db, names);
  return { verb, names, undisturbed: { result, emitted, state, writes, manyWrites } };
}

async function strikeNth(
  servers: FaultServers,
  prepared: Prepared,
  fault: Fault,
  nth: number,
): Promise<void> {
  const { db, proxy, configure } = servers;
  await emptyCollections(db, prepared.names);
  let late: Promise<void> | null = null;
  const outcome = await run(servers, prepared.verb, async (act) => {
    const before = await configure({ skip: nth - 1, times: fault.times }, fault.data);
    const silence = fault.isSilence ? proxy.silence(nth) : null;
    await act();
    late = silence?.late ?? null;
    const isStruck = silence?.end();
    // The engine may receive an abandoned command only now.
    expect(isStruck ?? (await configure("off")) > before, "is struck").toBe(true);
    await configure("off");
  });
  await judge(servers, prepared, outcome, { late, isLasting: fault.times > 1 });
}

async function stopNth(servers: FaultServers, prepared: Prepared, nth: number): Promise<Halt | null> {
  await emptyCollections(servers.db, prepared.names);
  let halt: Halt | null = null;
  const outcome = await run(servers, prepared.verb, async (act) => {
    halt = (await servers.halting.during(nth, act)).halt;
  });
  await judge(servers, prepared, outcome, { late: null, isLasting: false });
  return halt;
}

type Circumstances = { late: Promise<void> | null; isLasting: boolean };

/**
 * An acknowledged result is compared as it is; a failed verb is finished first. A write without effect is not remembered by its number,
 * so a late one may have an effect. If the primary stays away, a library's counter may stay too high.
 */
async function judge(
  { db, struck }: FaultServers,
  { verb, names, undisturbed }: Prepared,
  { given, result, error, emitted }: Run,
  { late, isLasting }: Circumstances,
): Promise<void> {
  if (error !== null && !isStorageFault(error)) throw error;
  if (error !== null || verb.isSilent) await (verb.finish ?? verb.act)(struck, given);
  await late;
  if (error !== null || late || isLasting || verb.isSilent) {
    await doUpkeep(db, names);
    const relaxed = (state: Snapshot) => relax(state, Object.keys(verb.mayDiffer ?? {}));
    const snapshot = await takeSnapshot(db, names);
    return expect(findDifferences(relaxed(undisturbed.state), relaxed(snapshot))).toEqual([]);
  }
  expect(findDifferences(undisturbed.state, await takeSnapshot(db, names))).toEqual([]);
  expect(result).toEqual(undisturbed.result);
  expect(emitted).toEqual(undisturbed.emitted);
}

/** Does what the hourly job does about texts without a file and about counters. */
async function doUpkeep(db: Db, names: readonly CollectionName[]): Promise<void> {
  if (names.includes("file_versions"))
    await removeLeftovers(db, { version: null, body: null }, new Date(Date.now() + 2 * DAY_MS));
  if (!names.includes("library_usage")) return;
  for (const { _id } of await db.library_usage.find().toArray())
    await recountUsage(db, _id, new Date(NOON.getTime() + 4 * HOUR_MS));
}

function relax(state: Snapshot, mayDiffer: readonly string[]): Snapshot {
  const ignored: readonly string[] = [...SEARCH_AIDS, ...AFTER_ANOTHER_TRY, ...mayDiffer];
  const compared = Object.entries(state).filter(([name]) => !ignored.includes(name));
  return Object.fromEntries(compared.map(([name, docs]) => [name, without(docs, ignored)]));
}

function without(docs: unknown[], fields: readonly string[]): unknown[] {
  const lines = docs.map((doc) => {
    const fieldsLeft = Object.entries(doc as Document).filter(([name]) => !fields.includes(name));
    return JSON.stringify(Object.fromEntries(fieldsLeft));
  });
  return lines.sort().map((doc) => JSON.parse(doc));
}

/** The documents that only one of two states has, prefixed with their collection. */
function findDifferences(expected: Snapshot, actual: Snapshot): string[] {
  const listed = (state: Snapshot) =>
    Object.entries(state).flatMap(([name, docs]) => docs.map((doc) => `${name} ${JSON.stringify(doc)}`));
  const [missing, extra] = [listed(expected), listed(actual)];
  for (const doc of [...missing]) {
    const index = extra.indexOf(doc);
    if (index === -1) continue;
    extra.splice(index, 1);
    missing.splice(missing.indexOf(doc), 1);
  }
  return [...missing.map((doc) => `missing: ${doc}`), ...extra.map((doc) => `too much: ${doc}`)];
}
