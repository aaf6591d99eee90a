import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ExplanationText, PreparedExplanation, prepareExplanation } from "#app/explain/local.ts";
import { askProvider, PROVIDER_TIMEOUT_MS, type ProviderSettings } from "#app/explain/provider.ts";
import { type ExplainRequest, type Explanation, LOCAL_PROVIDER } from "#domain/code-runs/explanation.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { createOutbound, type Resolve } from "#platform/outbound/outbound.ts";
import { redact } from "#platform/secrets/redact.ts";
import { defineJob, type GaveUp } from "#platform/threads/thread-job.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

export const EXPLAIN_JOB = defineJob<typeof prepareExplanation>({
  name: "explain",
  module: "#app/explain/local.ts",
  run: "prepareExplanation",
  processorMs: 1_500,
  maxOutput: 1024 * 1024,
});

/**
 * Explains texts with the configured model, or else by rules. Secrets are removed before anything reads the text, and from the answer. The
 * same question about the same text is answered once, even if asked twice at a time.
 */
export type Explainer = {
  /** A model's name, or `local`. */
  provider: string;
  explain(request: ExplainRequest, locale: Locale, owner: string): Promise<Explanation | Refusal>;
  close(): void;
};

type ExplainerOptions = {
  threads: ThreadPool;
  provider: ProviderSettings | null;
  allowLoopback: boolean;
  log: Log;
  clock: Clock;
  timeoutMs?: number;
  resolve?: Resolve;
};
type Answered = Omit<Explanation, "cached">;

const CACHE_MAX = 500;
const RETRY_SECONDS = 5;
const BUSY_OR_SLOW: Record<GaveUp, Refusal> = {
  busy: Refusal("tools_busy", { retry_after: RETRY_SECONDS }),
  too_slow: Refusal("explain_timeout"),
  too_large: Refusal("explain_failed"),
  failed: Refusal("explain_failed"),
};

export function createExplainer({
  threads,
  provider,
  allowLoopback,
  log,
  clock,
  timeoutMs = PROVIDER_TIMEOUT_MS,
  resolve,
}: ExplainerOptions): Explainer {
  const outbound = createOutbound({ allowLoopback }, resolve);
  const cache = new LRUCache<string, Promise<Answered | Refusal>>({ max: CACHE_MAX });
  const name = provider?.model ?? LOCAL_PROVIDER;

  async function createExplanation(
    { safe, explanation: byRules }: PreparedExplanation,
    locale: Locale,
  ): Promise<Answered | Refusal> {
    const text: ExplanationText | Refusal | null = provider
      ? await askProvider(
          provider,
          { ...safe, answerIn: LOCALES[locale].englishName },
          { outbound, log, timeoutMs },
        )
      : byRules;
    if (text === null) return Refusal("explain_failed");
    if (isRefusal(text)) return text;
    return { ...redact(text), provider: name, generated_at: toTimestamp(clock()) };
  }

  async function explain(
    request: ExplainRequest,
    locale: Locale,
    owner: string,
  ): Promise<Explanation | Refusal> {
    const input = { request, locale, byRules: provider === null };
    const prepared = await threads.run(EXPLAIN_JOB, input, { owner });
    if (!prepared.ok) return BUSY_OR_SLOW[prepared.reason];
    const { safe } = prepared.value;
    const key = createHash("sha256")
      .update(JSON.stringify([locale, safe]))
      .digest("base64url");
    const cached = cache.get(key);
    const promise = cached ?? createExplanation(prepared.value, locale);
    cache.set(key, promise);
    const explanation = await promise;
    if (!isRefusal(explanation)) return { ...explanation, cached: cached !== undefined };
    if (cache.get(key) === promise) cache.delete(key);
    return explanation;
  }

  return { provider: name, explain, close: () => outbound.close() };
}
