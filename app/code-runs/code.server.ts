import { z } from "zod";
import { runCode } from "#app/code-runs/run-code.server.ts";
import { endpoint, withFailureFlag } from "#app/http/api/api.server.ts";
import type { WebServices } from "#app/http/request-context.ts";
import { premiumOnly } from "#app/http/session/premium.server.ts";
import {
  ALLOWED_IMPORTS,
  CODE_LIMITS,
  type CodeRunOrder,
  type CodeRunResult,
} from "#domain/code-runs/code-run.ts";
import { codeRunOrder } from "#domain/code-runs/code-run-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** What running code offers here; the page of code tools shows the same. */
export function codeRunOffer({ env }: WebServices) {
  return {
    enabled: env.codeExecutionEnabled,
    limits: { ...CODE_LIMITS, max_queue_wait_seconds: env.codeQueueWaitSeconds },
    allowed_imports: ALLOWED_IMPORTS,
  };
}

/** Runs what someone with the right to it asked for: the checked order, the limits per person, the queue. */
export async function runFor(
  services: WebServices,
  userId: string,
  order: CodeRunOrder | Refusal,
  signal: AbortSignal,
): Promise<CodeRunResult | Refusal> {
  const { env, db, queue, clock } = services;
  if (!env.codeExecutionEnabled) return Refusal("execution_disabled");
  if (isRefusal(order)) return order;
  const limits = {
    perMinute: env.codeRunsPerMinute,
    perUser: env.codeRunsPerUser,
    queued: env.codeQueueMax,
    waitSeconds: env.codeQueueWaitSeconds,
  };
  return runCode({ db, queue, clock }, userId, order, limits, signal);
}

const amount = z.number().min(0);
const offer = z.object({
  enabled: z.boolean(),
  limits: z.object({
    min_timeout_seconds: amount,
    max_timeout_seconds: amount,
    default_timeout_seconds: amount,
    min_memory_mb: amount,
    max_memory_mb: amount,
    default_memory_mb: amount,
    max_code_length_bytes: amount,
    max_output_bytes: amount,
    max_queue_wait_seconds: amount,
  }),
  allowed_imports: z.array(z.string()),
});
const outcome = z.object({
  success: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.int(),
  execution_time_ms: amount,
  truncated: z.boolean(),
  memory_used_mb: z.number().int().nullable(),
  error: z.string().nullable(),
  limits_applied: z.object({ timeout: amount, memory_limit_mb: amount }),
});

export const codeEndpoints = withFailureFlag("success", [
  endpoint({
    method: "GET",
    path: "/api/code/run/limits",
    gate: "user",
    summary: "Get the limits for running code",
    returns: { 200: offer },
    answer: async ({ services, visitor }) => premiumOnly(visitor) ?? codeRunOffer(services),
  }),
  endpoint({
    method: "POST",
    path: "/api/code/run",
    gate: "user",
    summary: "Run a Python program in the sandbox",
    body: { deferred: codeRunOrder },
    returns: { 200: outcome },
    answer: async ({ request, services, visitor, body }) =>
      premiumOnly(visitor) ?? runFor(services, visitor.user.id, await body(), request.signal),
  }),
]);
