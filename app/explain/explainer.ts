import { createHash } from "node:crypto";
import { explainLocally, type Said } from "#app/explain/local.ts";
import { askProvider, PROVIDER_TIMEOUT_MS, type ProviderSettings } from "#app/explain/provider.ts";
import type { Locale } from "#app/i18n/locale.ts";
import { textOf } from "#app/i18n/text.ts";
import { type ExplainRequest, type Explanation, LOCAL_PROVIDER } from "#domain/explanation.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/timestamp.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { createOutbound, type Resolve } from "#platform/outbound.ts";
import { redact } from "#platform/redact.ts";

/**
 * Explains texts: by the model that is configured, else by rules. Secrets are taken out before anything looks at the text, and
 * out of what is said. The same question about the same text is answered once, also where it is asked twice at a time.
 */
export type Explainer = {
  /** Who explains: a model's name, or `local`. */
  provider: string;
  explain(request: ExplainRequest, locale: Locale): Promise<Explanation | Refusal>;
  close(): void;
};

type Parts = {
  provider: ProviderSettings | null;
  allowLoopback: boolean;
  log: Log;
  clock: Clock;
  timeoutMs?: number;
  resolve?: Resolve;
};
type Made = Omit<Explanation, "cached">;

const KEPT_MAX = 500;
const ANSWER_IN: Record<Locale, string> = { en: "English", he: "Hebrew" };

export function createExplainer({
  provider,
  allowLoopback,
  log,
  clock,
  timeoutMs = PROVIDER_TIMEOUT_MS,
  resolve,
}: Parts): Explainer {
  const outbound = createOutbound({ allowLoopback }, resolve);
  const kept = new Map<string, Promise<Made | Refusal>>();
  const name = provider?.model ?? LOCAL_PROVIDER;

  async function make(safe: ExplainRequest, locale: Locale): Promise<Made | Refusal> {
    const said: Said | Refusal = provider
      ? await askProvider(provider, { ...safe, answerIn: ANSWER_IN[locale] }, { outbound, log, timeoutMs })
      : explainLocally(safe, textOf(locale).explain);
    if (isRefusal(said)) return said;
    return { ...(redact(said) as Said), provider: name, generated_at: toTimestamp(clock()) };
  }

  async function explain(request: ExplainRequest, locale: Locale): Promise<Explanation | Refusal> {
    const safe = redact(request) as ExplainRequest;
    const key = createHash("sha256")
      .update(JSON.stringify([locale, safe]))
      .digest("base64url");
    const before = kept.get(key);
    const made = before ?? make(safe, locale);
    kept.delete(key);
    kept.set(key, made);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    const explanation = await made;
    if (!isRefusal(explanation)) return { ...explanation, cached: before !== undefined };
    if (kept.get(key) === made) kept.delete(key);
    return explanation;
  }

  return { provider: name, explain, close: () => outbound.close() };
}
