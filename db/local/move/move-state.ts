import { randomUUID } from "node:crypto";
import type { Connection } from "#db/client.ts";
import { COLLECTIONS } from "#db/collections.ts";
import type { ArrivingDoc, WritingDoc } from "#db/core/installation/documents.ts";
import { LOOKED_MAX_MS } from "#db/core/installation/writing-pause.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { listKeys } from "#domain/typed-keys.ts";
import { MoveError } from "./move-error.ts";

/** The pause of a killed command ends by itself. */
const PAUSE_MS = 60 * SECOND_MS;
const RENEW_EVERY_MS = 10 * SECOND_MS;
/** Longer than a process writes without checking, and than a request waits for the store. */
export const SETTLE_MS = LOOKED_MAX_MS + 5 * SECOND_MS;

const WRITING = { _id: "writing" } as const;
const ARRIVING = { _id: "arriving" } as const;

const findWriting = ({ collections }: Connection) => collections.installation.findOne<WritingDoc>(WRITING);

/** Records the move on both sides. A target with documents is refused, unless this very move wrote them. */
export async function startOrContinueMove(
  source: Connection,
  target: Connection,
  now: Date,
): Promise<string> {
  const startedMove = await findWriting(source);
  const arriving = await target.collections.installation.findOne<ArrivingDoc>(ARRIVING);
  const isContinued = startedMove !== null && arriving?.move_id === startedMove.move_id;
  if (startedMove?.moved_at && !isContinued)
    throw new MoveError(
      `This library was moved to ${startedMove.moved_to} on ${startedMove.moved_at.toISOString()} already.`,
    );
  if (isContinued) return startedMove.move_id;
  await refuseUsedTarget(target);
  const move_id = startedMove?.move_id ?? randomUUID();
  const initialFields = { paused_until: null, moved_at: null, moved_to: null };
  await source.collections.installation.updateOne(
    WRITING,
    { $setOnInsert: { move_id, ...initialFields } },
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
  /** Throws if the pause ended because this process could not renew it in time. */
  renew(): Promise<void>;
  /** Ends writing to the source permanently; processes with it no longer start. */
  makeFinal(movedTo: string, now: Date): Promise<void>;
  end(): Promise<void>;
};

/** Pauses writing to the source. The pause is renewed until it is ended or made final. */
export async function pauseWriting({ collections: { installation } }: Connection): Promise<Pause> {
  const until = () => new Date(Date.now() + PAUSE_MS);
  const toPausedFilter = () => ({
    ...WRITING,
    $or: [{ paused_until: { $gt: new Date() } }, { moved_at: { $ne: null } }],
  });
  const updatePause = async (set: Partial<WritingDoc>) => {
    const { matchedCount } = await installation.updateOne(toPausedFilter(), { $set: set });
    if (matchedCount === 0)
      throw new MoveError(
        "The pause of writing ended before the move was done. Run it again, and it goes on.",
      );
  };
  const renew = () => updatePause({ paused_until: until() });
  await installation.updateOne(WRITING, { $set: { paused_until: until() } });
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS);
  return {
    renew,
    async makeFinal(moved_to, moved_at) {
      clearInterval(timer);
      await updatePause({ moved_to, moved_at });
    },
    async end() {
      clearInterval(timer);
      await installation.updateOne(WRITING, { $set: { paused_until: null } });
    },
  };
}

/** The target is complete, so processes may start with it. */
export async function finishMoveAtTarget({ collections }: Connection, move_id: string): Promise<void> {
  await collections.installation.deleteOne({ ...ARRIVING, move_id });
}

/** Makes a library the active one again that was moved, or is being moved. */
export async function cancelMove(source: Connection): Promise<WritingDoc | null> {
  const move = await findWriting(source);
  await source.collections.installation.updateOne(WRITING, {
    $set: { paused_until: null, moved_at: null, moved_to: null },
  });
  return move;
}
