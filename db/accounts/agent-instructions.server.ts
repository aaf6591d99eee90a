import type { InstructionsDoc } from "#db/accounts/documents.ts";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { Refusal } from "#domain/refusal.ts";

type Instructions = { text: string; updated_at: Date | null };

export async function findInstructions(db: Db, ownerId: string): Promise<Instructions> {
  const doc = await db.agent_instructions.findOne({ _id: ownerId });
  return { text: doc?.text ?? "", updated_at: doc?.updated_at ?? null };
}

/** Replaces the instructions that the writer saw. A writer who saw older ones is refused. */
export async function setInstructions(
  db: Db,
  ownerId: string,
  text: string,
  seen: Date | null,
  now: Date,
): Promise<Instructions | Refusal> {
  const updated_at = new Date(Math.max(now.getTime(), (seen?.getTime() ?? 0) + 1));
  if (seen === null) return create(db, { _id: ownerId, text, updated_at });
  const written = await db.agent_instructions.updateOne(
    { _id: ownerId, updated_at: seen },
    { $set: { text, updated_at } },
  );
  return written.matchedCount === 1 ? { text, updated_at } : Refusal("stale_instructions");
}

async function create(db: Db, doc: InstructionsDoc): Promise<Instructions | Refusal> {
  try {
    await db.agent_instructions.insertOne(doc);
    return { text: doc.text, updated_at: doc.updated_at };
  } catch (error) {
    if (isDuplicateKey(error)) return Refusal("stale_instructions");
    throw error;
  }
}
