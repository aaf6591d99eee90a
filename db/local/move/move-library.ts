import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "#db/client.ts";
import { COLLECTIONS, type CollectionName } from "#db/collections.ts";
import { NOT_MOVED } from "#db/core/driver/paused-writes.ts";
import { DATA_VERSION, DataTooNew, readDataVersion } from "#db/core/installation/data-version.ts";
import { toMegabytes } from "#db/local/processes/run-command.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { HOUR_MS, SECOND_MS } from "#domain/time/durations.ts";
import { listKeys } from "#domain/typed-keys.ts";
import { MoveError } from "./move-error.ts";
import {
  finishMoveAtTarget,
  type Pause,
  pauseWriting,
  SETTLE_MS,
  startOrContinueMove,
} from "./move-state.ts";
import { type Comparison, syncCollection } from "./sync-collection.ts";

type MoveOptions = {
  source: Connection;
  target: Connection;
  /** The new address of the library, without a password. */
  movedTo: string;
  say: (line: string) => void;
  /** Runs before the source is given up: prepares everything that the target needs besides documents. */
  beforeEnd: () => Promise<void>;
  settleMs?: number;
  /** Ends the move at this point: the source stays in use, and the move can be run again. */
  stop?: AbortSignal;
};

export type Moved = { comparisons: Comparison[]; pausedMs: number };

const MOVED = listKeys(COLLECTIONS).filter((name) => !NOT_MOVED.includes(name));
const PASSES_MAX = 5;
const REPORT_EVERY_MS = 5 * SECOND_MS;

/**
 * Copies all documents to an empty database while people use the source: first everything, then changes since, and the last changes while
 * writing is paused. It ends when a whole pass over both finds no difference. It can be killed and run again at any point.
 */
export async function moveLibrary(options: MoveOptions): Promise<Moved> {
  const { source, target, movedTo, say, beforeEnd, settleMs = SETTLE_MS, stop } = options;
  const version = await readDataVersion(source.collections);
  if (version > DATA_VERSION) throw new DataTooNew(version);
  const moveId = await startOrContinueMove(source, target, new Date());
  await ensureIndexes(target.collection);
  say("Indexes are built.");
  for (const collection of MOVED) await copyCollection(options, collection);
  const changes = await syncAll(options);
  say(`Copied. ${countDifferences(changes)} documents have changed since.`);
  const pausedAt = performance.now();
  const pause = await pauseWriting(source);
  say("Writing is paused.");
  try {
    await wait(settleMs, undefined, { signal: stop });
    const comparisons = await syncUntilSame(options, pause);
    await beforeEnd();
    await pause.makeFinal(movedTo, new Date());
    await finishMoveAtTarget(target, moveId);
    return { comparisons, pausedMs: performance.now() - pausedAt };
  } catch (error) {
    await pause.end();
    throw error;
  }
}

/** Continues after the last existing document. */
async function copyCollection(options: MoveOptions, collection: CollectionName): Promise<void> {
  const target = options.target.collection(collection);
  const last = await target.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  const after = collection === "installation" ? undefined : last?._id;
  const { source } = await sync(options, collection, after);
  if (source.documents > 0)
    options.say(`${collection}: ${source.documents} documents, ${toMegabytes(source.bytes)} MB`);
}

async function syncAll(options: MoveOptions): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const collection of MOVED) comparisons.push(await sync(options, collection));
  return comparisons;
}

async function syncUntilSame(options: MoveOptions, pause: Pause): Promise<Comparison[]> {
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const comparisons = await syncAll(options);
    await pause.renew();
    if (comparisons.every(isSame)) return comparisons;
  }
  throw new MoveError(
    "The source goes on changing although writing is paused: stop every process that writes to it, and run this again.",
  );
}

const isSame = ({ source, target, differences }: Comparison) =>
  differences === 0 && source.documents === target.documents && source.digest === target.digest;

const countDifferences = (comparisons: readonly Comparison[]): number =>
  comparisons.reduce((sum, { differences }) => sum + differences, 0);

function sync(
  { source, target, say, stop }: MoveOptions,
  collection: CollectionName,
  after?: unknown,
): Promise<Comparison> {
  stop?.throwIfAborted();
  let reportedAt = performance.now();
  return syncCollection({
    collection,
    source: source.collection(collection),
    target: target.collection(collection),
    after,
    // Documents that expire within the hour may be missing on one side only.
    comparedFrom: Date.now() + HOUR_MS,
    onProgress(documents) {
      stop?.throwIfAborted();
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      say(`${collection}: ${documents} documents so far`);
    },
  });
}
