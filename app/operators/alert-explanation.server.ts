import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { RequestContext, WebServices } from "#app/web/request-context.ts";
import {
  findExplanation,
  type KeptExplanation,
  setExplanation,
} from "#db/alerts/alert-explanations.server.ts";
import { parseSeverityLabel } from "#domain/alerts/alert.ts";
import { alertQuestion, type ExplainedAlert, explainAlert } from "#domain/alerts/alert-explanation.ts";
import { type Explanation, LOCAL_PROVIDER } from "#domain/code-runs/explanation.ts";
import type { Locale } from "#domain/locale.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { parseTimestamp, toTimestamp } from "#domain/time/timestamp.ts";
import { redact } from "#platform/secrets/redact.ts";

type UncheckedAlert = {
  name?: string | null;
  severity?: string | null;
  summary?: string | null;
  metadata?: Record<string, unknown> | null;
};

/**
 * Explains an alert with the configured model, or else with our rules. Secrets are removed first; the same alert is explained once a day,
 * for all operators and processes.
 */
export async function explainWithCache(
  context: Pick<RequestContext, "services" | "locale">,
  userId: string,
  unsafeAlert: UncheckedAlert,
): Promise<Explanation | Refusal> {
  const { db, explainer } = context.services;
  const alert = toSafeAlert(unsafeAlert);
  const locale = await context.locale();
  const explainedBy = { provider: explainer.provider, locale };
  const storedExplanation = await findExplanation(db, alert, explainedBy);
  if (storedExplanation)
    return { ...storedExplanation, generated_at: toTimestamp(storedExplanation.generated_at), cached: true };
  const answer = await createExplanation(context.services, userId, alert, locale);
  if (isRefusal(answer) || answer.cached) return answer;
  const { cached: _, ...explanation } = answer;
  const explanationToStore: KeptExplanation = {
    ...explanation,
    generated_at: required(parseTimestamp(answer.generated_at), "moment"),
  };
  await setExplanation(db, alert, explainedBy, explanationToStore);
  return answer;
}

function createExplanation(
  { explainer, rateCounter, env, clock }: WebServices,
  userId: string,
  alert: ExplainedAlert,
  locale: Locale,
): Explanation | Refusal | Promise<Explanation | Refusal> {
  if (explainer.provider === LOCAL_PROVIDER) return explainByRules(alert, clock(), locale);
  const retry_after = rateCounter.wait(`user ${userId} explain`, env.explainsPerMinute);
  if (retry_after !== null) return Refusal("rate_limit_exceeded", { retry_after });
  return explainer.explain(alertQuestion(alert, getDictionary(locale).observability), locale, userId);
}

export function explainByRules(alert: UncheckedAlert, now: Date, locale: Locale): Explanation {
  const explanation = explainAlert(toSafeAlert(alert), getDictionary(locale).observability);
  return { ...explanation, provider: LOCAL_PROVIDER, generated_at: toTimestamp(now), cached: false };
}

const toSafeAlert = (alert: UncheckedAlert): ExplainedAlert =>
  redact({
    name: alert.name ?? "",
    severity: parseSeverityLabel(alert.severity ?? undefined),
    summary: alert.summary ?? "",
    metadata: alert.metadata ?? {},
  });
