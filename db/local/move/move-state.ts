import { randomUUID } from "node:crypto";
import type { Connection } from "#db/client.ts";
import { COLLECTIONS } from "#db/collections.ts";
import type { ArrivingDoc, WritingDoc } from "#db/installation/documents.ts";
import { LOOKED_MAX_MS } from "#db/installation/writing-pause.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { listKeys } from "#domain/typed-keys.ts";
import { MoveError } from "./move-error.ts";

/** A command that is killed leaves a pause that ends by itself. */
const PAUSE_MS = 60 * SECOND_MS;
const RENEW_EVERY_MS = 10 * SECOND_MS;
/** Longer than a process goes on writing without looking, and than a request waits for the store. */
export const SETTLE_MS = LOOKED_MAX_MS + 5 * SECOND_MS;

const WRITING = { _id: "writing" } as const;
const ARRIVING = { _id: "arriving" } as const;

const findWriting = ({ collections }: Connection) => collections.installation.findOne<WritingDoc>(WRITING);

/** Names the move in both places. A target that has documents is refused, unless they came by this very move. */
export async function openMove(source: Connection, target: Connection, now: Date): Promise<string> {
  const begun = await findWriting(source);
  const arriving = await target.collections.installation.findOne<ArrivingDoc>(ARRIVING);
  const isGoingOn = begun !== null && arriving?.move_id === begun.move_id;
  if (begun?.moved_at && !isGoingOn)
    throw new MoveError(
      `This library was moved to ${begun.moved_to} on ${begun.moved_at.toISOString()} already.`,
    );
  if (isGoingOn) return begun.move_id;
  await refuseUsedTarget(target);
  const move_id = begun?.move_id ?? randomUUID();
  const paused = { paused_until: null, moved_at: null, moved_to: null };
  await source.collections.installation.updateOne(
    WRITING,
    { $setOnInsert: { move_id, ...paused } },
    { upsert: true },
  );
  await target.collections.installation.insertOne({ ...ARRIVING, move_id, started_at: now });
  return move_id;
}

async function refuseUsedTarget({ collection }: Connection): Promise<void> {
  for (const name of listKeys(COLLECTIONS))
    if (await collection(name).findOne({}, { projection: { _id: 1 } }))
      throw new MoveError(
        `The target is not empty: its collection ${name} has documents. Move into an empty database.`,
      );
}

export type Pause = {
  /** Throws where the pause ended on its own, because this process did not get to renew it. */
  renew(): Promise<void>;
  /** Nobody writes to the source any more, and processes on it do not start. */
  makeFinal(movedTo: string, now: Date): Promise<void>;
  end(): Promise<void>;
};

/** Pauses writing to the source. The pause is renewed until it is ended, or made final. */
export async function pauseWriting({ collections: { installation } }: Connection): Promise<Pause> {
  const until = () => new Date(Date.now() + PAUSE_MS);
  const held = () => ({
    ...WRITING,
    $or: [{ paused_until: { $gt: new Date() } }, { moved_at: { $ne: null } }],
  });
  const change = async (set: Partial<WritingDoc>) => {
    const { matchedCount } = await installation.updateOne(held(), { $set: set });
    if (matchedCount === 0)
      throw new MoveError(
        "The pause of writing ended before the move was done. Run it again, and it goes on.",
      );
  };
  const renew = () => change({ paused_until: until() });
  await installation.updateOne(WRITING, { $set: { paused_until: until() } });
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS);
  return {
    renew,
    async makeFinal(moved_to, moved_at) {
      clearInterval(timer);
      await change({ moved_to, moved_at });
    },
    async end() {
      clearInterval(timer);
      await installation.updateOne(WRITING, { $set: { paused_until: null } });
    },
  };
}

/** The target is whole: processes may start on it. */
export async function finishArriving({ collections }: Connection, move_id: string): Promise<void> {
  await collections.installation.deleteOne({ ...ARRIVING, move_id });
}

/** Makes a library that was moved elsewhere, or is being moved, the one that is used. */
export async function cancelMove(source: Connection): Promise<WritingDoc | null> {
  const found = await findWriting(source);
  await source.collections.installation.updateOne(WRITING, {
    $set: { paused_until: null, moved_at: null, moved_to: null },
  });
  return found;
}
