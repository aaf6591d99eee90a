import type { Shelf } from "#app/http/visit.ts";
import { findExplanation, setExplanation } from "#db/alert-explanations.server.ts";
import { severityOfLabel } from "#domain/alert.ts";
import { type ExplainedAlert, explainAlert } from "#domain/alert-explanation.ts";
import type { Explanation } from "#domain/explanation.ts";
import type { Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/timestamp.ts";
import { redact } from "#platform/redact.ts";

type AskedAlert = {
  name?: string | null;
  severity?: string | null;
  summary?: string | null;
  metadata?: Record<string, unknown> | null;
};

/** What an alert means and what to do about it. The same alert is explained once a day. */
export async function explained(
  { db, clock }: Pick<Shelf, "db" | "clock">,
  asked: AskedAlert,
): Promise<Explanation | Refusal> {
  const alert = redact({
    name: asked.name ?? "",
    severity: severityOfLabel(asked.severity ?? undefined),
    summary: asked.summary ?? "",
    metadata: asked.metadata ?? {},
  }) as ExplainedAlert;
  const kept = await findExplanation(db, alert);
  if (kept) return { ...kept, generated_at: toTimestamp(kept.generated_at), cached: true };
  const made = { ...explainAlert(alert), provider: "local", generated_at: clock() };
  await setExplanation(db, alert, made);
  return { ...made, generated_at: toTimestamp(made.generated_at), cached: false };
}
