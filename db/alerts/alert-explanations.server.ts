import { createHash } from "node:crypto";
import type { AlertExplanationDoc } from "#db/alerts/documents.ts";
import type { Db } from "#db/client.ts";
import type { ExplainedAlert } from "#domain/alerts/alert-explanation.ts";

type ExplainedBy = { provider: string; locale: string };

export type KeptExplanation = Omit<AlertExplanationDoc, "_id">;

export async function findExplanation(
  db: Db,
  alert: ExplainedAlert,
  by: ExplainedBy,
): Promise<KeptExplanation | null> {
  const doc = await db.alert_explanations.findOne({ _id: explanationKey(alert, by) });
  if (!doc) return null;
  const { _id, ...explanation } = doc;
  return explanation;
}

export async function setExplanation(
  db: Db,
  alert: ExplainedAlert,
  by: ExplainedBy,
  explanation: KeptExplanation,
): Promise<void> {
  await db.alert_explanations.updateOne(
    { _id: explanationKey(alert, by) },
    { $set: explanation },
    { upsert: true },
  );
}

function explanationKey({ name, severity, summary, metadata }: ExplainedAlert, by: ExplainedBy): string {
  const facts = Object.entries(metadata ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([by.provider, by.locale, name, severity, summary, facts]))
    .digest("hex");
}
