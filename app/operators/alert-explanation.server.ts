import type { RequestContext, WebServices } from "#app/http/request-context.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import {
  findExplanation,
  type KeptExplanation,
  setExplanation,
} from "#db/alerts/alert-explanations.server.ts";
import { severityOfLabel } from "#domain/alerts/alert.ts";
import { alertQuestion, type ExplainedAlert, explainAlert } from "#domain/alerts/alert-explanation.ts";
import { type Explanation, LOCAL_PROVIDER } from "#domain/code-runs/explanation.ts";
import type { Locale } from "#domain/locale.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { parseTimestamp, toTimestamp } from "#domain/time/timestamp.ts";
import { redact } from "#platform/secrets/redact.ts";

type GivenAlert = {
  name?: string | null;
  severity?: string | null;
  summary?: string | null;
  metadata?: Record<string, unknown> | null;
};

/**
 * What an alert means and what to do about it, said by the model that is configured, else by our rules. Secrets are taken out
 * first; the same alert is explained once a day, for all operators and processes.
 */
export async function explained(
  context: Pick<RequestContext, "services" | "locale">,
  userId: string,
  given: GivenAlert,
): Promise<Explanation | Refusal> {
  const { db, explainer } = context.services;
  const alert = safeAlert(given);
  const locale = await context.locale();
  const by = { provider: explainer.provider, locale };
  const kept = await findExplanation(db, alert, by);
  if (kept) return { ...kept, generated_at: toTimestamp(kept.generated_at), cached: true };
  const made = await make(context.services, userId, alert, locale);
  if (isRefusal(made) || made.cached) return made;
  const { cached: _, ...explanation } = made;
  const keep: KeptExplanation = {
    ...explanation,
    generated_at: required(parseTimestamp(made.generated_at), "moment"),
  };
  await setExplanation(db, alert, by, keep);
  return made;
}

function make(
  { explainer, rateCounter, env, clock }: WebServices,
  userId: string,
  alert: ExplainedAlert,
  locale: Locale,
): Explanation | Refusal | Promise<Explanation | Refusal> {
  if (explainer.provider === LOCAL_PROVIDER) return explainedByRules(alert, clock(), locale);
  const retry_after = rateCounter.wait(`user ${userId} explain`, env.explainsPerMinute);
  if (retry_after !== null) return Refusal("rate_limit_exceeded", { retry_after });
  return explainer.explain(alertQuestion(alert, getDictionary(locale).observability), locale, userId);
}

/** The explanation by our rules, where there is no model or it gave no answer. */
export function explainedByRules(given: GivenAlert, now: Date, locale: Locale): Explanation {
  const explanation = explainAlert(safeAlert(given), getDictionary(locale).observability);
  return { ...explanation, provider: LOCAL_PROVIDER, generated_at: toTimestamp(now), cached: false };
}

const safeAlert = (given: GivenAlert): ExplainedAlert =>
  redact({
    name: given.name ?? "",
    severity: severityOfLabel(given.severity ?? undefined),
    summary: given.summary ?? "",
    metadata: given.metadata ?? {},
  });
