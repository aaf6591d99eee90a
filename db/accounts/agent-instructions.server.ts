import type { InstructionsDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { Refusal } from "#domain/refusal.ts";

type Instructions = { text: string; updated_at: Date | null };

export async function findInstructions(db: Db, ownerId: string): Promise<Instructions> {
  const doc = await db.agent_instructions.findOne({ _id: ownerId });
  return { text: doc?.text ?? "", updated_at: doc?.updated_at ?? null };
}

/** Replaces the instructions that the writer saw, and refuses if they have changed since. */
export async function setInstructions(
  db: Db,
  ownerId: string,
  text: string,
  seenAt: Date | null,
  now: Date,
): Promise<Instructions | Refusal> {
  const updated_at = new Date(Math.max(now.getTime(), (seenAt?.getTime() ?? 0) + 1));
  if (seenAt === null) return insertInstructions(db, { _id: ownerId, text, updated_at });
  const result = await db.agent_instructions.updateOne(
    { _id: ownerId, updated_at: seenAt },
    { $set: { text, updated_at } },
  );
  return result.matchedCount === 1 ? { text, updated_at } : Refusal("stale_instructions");
}

async function insertInstructions(db: Db, doc: InstructionsDoc): Promise<Instructions | Refusal> {
  const inserted = await skipDuplicate(db.agent_instructions.insertOne(doc));
  return inserted ? { text: doc.text, updated_at: doc.updated_at } : Refusal("stale_instructions");
}
