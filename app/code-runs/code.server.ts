import { z } from "zod";
import { runCode, startRun } from "#app/code-runs/run-code.server.ts";
import { type ReadOrder, readRunOrder } from "#app/code-runs/run-order.server.ts";
import { streamRun, wantsEvents } from "#app/code-runs/run-stream.server.ts";
import { recordSteps } from "#app/code-runs/runs-under-way.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { findPremiumRefusal } from "#app/web/session/premium.server.ts";
import { createRunResult } from "#db/code-runs/run-results.server.ts";
import { ALLOWED_IMPORTS, CODE_LIMITS, type CodeRunResult } from "#domain/code-runs/code-run.ts";
import { type CodeRunRequest, codeRunRequest } from "#domain/code-runs/code-run-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** The limits for running code; the page of code tools shows the same. */
export function describeCodeRuns({ env }: WebServices) {
  return {
    enabled: env.codeExecutionEnabled,
    limits: { ...CODE_LIMITS, max_queue_wait_seconds: env.codeQueueWaitSeconds },
    allowed_imports: ALLOWED_IMPORTS,
  };
}

type RunCaller = { userId: string; signal: AbortSignal };
/** `kept`: the saved output beside the file, if that was requested and the library had space. */
type RunAnswer = CodeRunResult & { kept?: string | null };

/** Runs a program for a person who has the right to: checks the request and the person's limits, then queues it. */
export async function runForPerson(
  services: WebServices,
  caller: RunCaller,
  request: CodeRunRequest | Refusal,
): Promise<RunAnswer | Refusal> {
  const readOrder = await readRequest(services, caller.userId, request);
  if (isRefusal(readOrder)) return readOrder;
  const run = { ...detachKeptRun(caller, readOrder), order: readOrder.order };
  const underWay = beginKeptRun(services, caller, readOrder);
  try {
    const result = await runCode(services, run, runLimits(services));
    return isRefusal(result) ? result : await keepResult(services, caller.userId, readOrder, result);
  } finally {
    underWay?.end();
  }
}

/** The same, reported step by step. A request that is refused before it is queued has no steps. */
async function streamRunForPerson(
  services: WebServices,
  caller: RunCaller,
  request: CodeRunRequest | Refusal,
): Promise<Response | Refusal> {
  const readOrder = await readRequest(services, caller.userId, request);
  if (isRefusal(readOrder)) return readOrder;
  const run = { ...detachKeptRun(caller, readOrder), order: readOrder.order, isLive: true };
  const events = await startRun(services, run, runLimits(services));
  if (isRefusal(events)) return events;
  const underWay = beginKeptRun(services, caller, readOrder);
  return streamRun(underWay ? recordSteps(events, underWay) : events, (result) =>
    keepResult(services, caller.userId, readOrder, result),
  );
}

/** The page of a file shows a run whose output is kept, until it lists the output. */
const beginKeptRun = ({ runsUnderWay }: WebServices, { userId }: RunCaller, { ran, keep }: ReadRequest) =>
  ran && keep ? runsUnderWay.begin(userId, ran.fileId) : null;

type ReadRequest = ReadOrder & { keep: boolean };

/** A caller who leaves ends the run, unless its output is kept for later. */
const detachKeptRun = (caller: RunCaller, { ran, keep }: ReadRequest): RunCaller =>
  ran && keep ? { ...caller, signal: new AbortController().signal } : caller;

async function readRequest(
  { env, db }: WebServices,
  userId: string,
  request: CodeRunRequest | Refusal,
): Promise<ReadRequest | Refusal> {
  if (!env.codeExecutionEnabled) return Refusal("execution_disabled");
  if (isRefusal(request)) return request;
  const readOrder = await readRunOrder(db, userId, request);
  return isRefusal(readOrder) ? readOrder : { ...readOrder, keep: request.keep };
}

async function keepResult(
  { db, clock }: WebServices,
  userId: string,
  { ran, keep }: ReadRequest,
  result: CodeRunResult,
): Promise<RunAnswer> {
  if (!ran || !keep) return result;
  const storedOutput = await createRunResult(db, userId, { ...ran, result }, clock());
  return { ...result, kept: storedOutput === null || isRefusal(storedOutput) ? null : storedOutput.id };
}

const runLimits = ({ env }: WebServices) => ({
  perMinute: env.codeRunsPerMinute,
  perUser: env.codeRunsPerUser,
  queued: env.codeQueueMax,
  waitSeconds: env.codeQueueWaitSeconds,
});

// JSON writes one byte of a text as six bytes at most.
const BODY_MAX_BYTES =
  6 *
    (CODE_LIMITS.max_code_length_bytes +
      CODE_LIMITS.max_stdin_bytes +
      CODE_LIMITS.max_args * CODE_LIMITS.max_arg_bytes) +
  1024;

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
    max_stdin_bytes: amount,
    max_args: amount,
    max_arg_bytes: amount,
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
  files_left_out: z.array(z.string()).optional(),
  files_written: z
    .array(z.object({ path: z.string(), size_bytes: amount, text: z.string().nullable() }))
    .optional(),
  kept: z.string().nullable().optional(),
});

export const codeEndpoints = withFailureFlag("success", [
  endpoint({
    method: "GET",
    path: "/api/code/run/limits",
    gate: "user",
    summary: "Get the limits for running code",
    refuses: ["premium_required"],
    returns: { 200: offer },
    answer: async ({ services, signedIn }) => findPremiumRefusal(signedIn) ?? describeCodeRuns(services),
  }),
  endpoint({
    method: "POST",
    path: "/api/code/run",
    gate: "user",
    summary:
      "Run a Python, JavaScript or TypeScript program in the sandbox; with Accept: text/event-stream, told step by step",
    body: { deferred: codeRunRequest, maxBytes: BODY_MAX_BYTES },
    refuses: [
      "missing_code",
      "not_runnable",
      "premium_required",
      "file_not_found",
      "version_not_found",
      "execution_disabled",
      "queue_unavailable",
      "run_interrupted",
    ],
    returns: { 200: outcome },
    answer: async ({ request, context, services, signedIn, body }) => {
      const refusal = findPremiumRefusal(signedIn);
      if (refusal) return refusal;
      const caller = { userId: signedIn.user.id, signal: context.clientGone() };
      const run = wantsEvents(request.headers.get("Accept")) ? streamRunForPerson : runForPerson;
      return run(services, caller, await body());
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/code/run/:run_id/stop",
    gate: "user",
    summary: "Stop a program of one's own that runs or waits to run",
    returns: { 200: z.object({ success: z.literal(true) }) },
    answer: async ({ services, signedIn, params }) =>
      !params.run_id.includes("\0") && (await services.queue.codeRuns.stop(params.run_id, signedIn.user.id))
        ? { success: true }
        : Refusal("run_not_found"),
  }),
]);
