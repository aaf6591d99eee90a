import { endpoint } from "#app/http/api.server.ts";
import { readJson } from "#app/http/body.server.ts";
import { premiumOnly } from "#app/http/premium.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import type { Shelf } from "#app/http/visit.ts";
import { runCode } from "#db/code-run-delivery.server.ts";
import { ALLOWED_IMPORTS, CODE_LIMITS, type CodeRunResult, checkCodeRun } from "#domain/code-run.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** What running code offers here; the page of code tools shows the same. */
export function codeRunOffer({ env }: Shelf) {
  return {
    enabled: env.codeExecutionEnabled,
    limits: { ...CODE_LIMITS, max_queue_wait_seconds: env.codeQueueWaitSeconds },
    allowed_imports: ALLOWED_IMPORTS,
  };
}

/** Runs what someone with the right to it asked for: the checked order, the limits per person, the queue. */
export async function runFor(
  shelf: Shelf,
  userId: string,
  given: unknown,
  signal: AbortSignal,
): Promise<CodeRunResult | Refusal> {
  const { env, db, queue, clock } = shelf;
  if (!env.codeExecutionEnabled) return Refusal("execution_disabled");
  const order = checkCodeRun(given);
  if (isRefusal(order)) return order;
  const patience = {
    perMinute: env.codeRunsPerMinute,
    perUser: env.codeRunsPerUser,
    queued: env.codeQueueMax,
    waitSeconds: env.codeQueueWaitSeconds,
  };
  return runCode({ db, queue, clock }, userId, order, patience, signal);
}

export const codeEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/code/run/limits",
    gate: "user",
    answer: async ({ shelf, visitor }) => premiumOnly(visitor) ?? codeRunOffer(shelf),
  }),
  endpoint({
    method: "POST",
    path: "/api/code/run",
    gate: "user",
    answer: async ({ request, shelf, visitor }) => {
      const answer = premiumOnly(visitor) ?? (await runGiven(shelf, visitor.user.id, request));
      return isRefusal(answer) ? refusedRun(answer) : answer;
    },
  }),
];

async function runGiven(shelf: Shelf, userId: string, request: Request): Promise<CodeRunResult | Refusal> {
  const given = await readJson(request);
  return isRefusal(given) ? given : runFor(shelf, userId, given, request.signal);
}

function refusedRun({ refused, context }: Refusal): Response {
  const headers = "retry_after" in context ? { "Retry-After": String(context.retry_after) } : undefined;
  return refusalResponse(Refusal(refused, { success: false, ...context }), headers);
}
