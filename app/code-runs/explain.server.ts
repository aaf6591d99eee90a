import { z } from "zod";
import { endpoint } from "#app/web/api/api.server.ts";
import { ok, timestamp } from "#app/web/api/shapes.server.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { explainRequest } from "#domain/code-runs/explain-schema.ts";
import type { ExplainRequest, Explanation } from "#domain/code-runs/explanation.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

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

/** Explains what a person sent, within the limit per minute. */
export async function explainForPerson(
  context: RequestContext,
  userId: string,
  request: ExplainRequest,
): Promise<Explanation | Refusal> {
  const { rateCounter, env, explainer } = context.services;
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
    body: explainRequest,
    refuses: ["missing_context", "explain_failed", "explain_timeout"],
    returns: { 200: z.object({ ok, explanation: explanationShape }) },
    answer: async ({ context, signedIn: { user }, body }) => {
      const explanation = await explainForPerson(context, user.id, body);
      return isRefusal(explanation) ? explanation : { ok: true, explanation };
    },
  }),
];
