import { z } from "zod";
import { endpoint } from "#app/http/api/api.server.ts";
import { ok, timestamp } from "#app/http/api/shapes.server.ts";
import type { RequestContext } from "#app/http/request-context.ts";
import { checkExplain, type Explanation } from "#domain/code-runs/explanation.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const explainInput = z
  .object({
    code: z.string().optional(),
    context: z.string().optional().meta({ description: "Anything else: a traceback, a log." }),
    language: z.string().max(40).optional(),
    question: z.string().optional(),
  })
  .meta({ description: "Either code or context." });

export const explanationShape = z
  .object({
    root_cause: z.string(),
    actions: z.array(z.string()),
    signals: z.array(z.string()),
    provider: z.string().meta({ description: "A model, or `local` for the rules of this server." }),
    cached: z.boolean(),
    generated_at: timestamp,
  })
  .meta({ id: "Explanation" });

/** Explains what a person sent, as often a minute as a person may ask. */
export async function explainFor(
  context: RequestContext,
  userId: string,
  given: z.output<typeof explainInput>,
): Promise<Explanation | Refusal> {
  const { rateCounter, env, explainer } = context.services;
  const request = checkExplain(given);
  if (isRefusal(request)) return request;
  const retry_after = rateCounter.wait(`user ${userId} explain`, env.explainsPerMinute);
  if (retry_after !== null) return Refusal("rate_limit_exceeded", { retry_after });
  return explainer.explain(request, await context.locale(), userId);
}

export const explainEndpoints = [
  endpoint({
    method: "POST",
    path: "/api/ai/explain",
    gate: "user",
    summary: "Explain code, or what went wrong",
    body: explainInput,
    returns: { 200: z.object({ ok, explanation: explanationShape }) },
    answer: async ({ context, visitor: { user }, body }) => {
      const explanation = await explainFor(context, user.id, body);
      return isRefusal(explanation) ? explanation : { ok: true, explanation };
    },
  }),
];
