import { z } from "zod";
import { runForPerson } from "#app/code-runs/code.server.ts";
import { readRunFields } from "#app/code-runs/run-fields.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { findPremiumRefusal } from "#app/web/session/premium.server.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import type { Db } from "#db/client.ts";
import {
  findRunResult,
  listRunResults,
  type RunResult,
  type RunSummary,
} from "#db/code-runs/run-results.server.ts";
import type { FileRecord } from "#db/files/file-records.server.ts";
import { canRunCode } from "#domain/accounts/role.ts";
import { CODE_LIMITS, type CodeRunResult, isRunnable } from "#domain/code-runs/code-run.ts";
import { codeRunRequest } from "#domain/code-runs/code-run-schema.ts";
import type { RunUnderWay } from "#domain/code-runs/runs-under-way.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkBySchema } from "#domain/schema.ts";
import { plainLineEnds } from "#domain/text/line-ends.ts";

/** Runs a version of a file from the file's own page, or deletes its stored results. */
export const runForm = z.object({
  intent: z.enum(["run", "forget"]),
  version: z.coerce.number().int().min(1).catch(0),
  timeout: z.string().default(""),
  // Browsers send every line end as CRLF.
  stdin: z.string().default("").transform(plainLineEnds),
  args: z.string().default(""),
  keep: z.literal("1").optional(),
});

type RunForm = z.output<typeof runForm>;
type RunRequest = {
  services: WebServices;
  signedIn: SignedIn;
  file: FileRecord;
  form: RunForm;
  signal: AbortSignal;
};
/** `full`: the output was to be kept, but the library has no space for it. */
export type Ran = { run: CodeRunResult; version: number; kept: string | null; full?: true };

/** Runs a file through the same function as the code tools and the JSON API. */
export async function runFile({
  services,
  signedIn,
  file,
  form,
  signal,
}: RunRequest): Promise<Ran | Refusal> {
  const refusal = findPremiumRefusal(signedIn);
  if (refusal) return refusal;
  const request = checkBySchema(codeRunRequest, {
    file_id: file.id,
    version: form.version,
    keep: form.keep !== undefined,
    ...readRunFields(form),
  });
  if (isRefusal(request) && form.version < 1) return Refusal("version_not_found", { file_id: file.id });
  const run = await runForPerson(services, { userId: signedIn.user.id, signal }, request);
  if (isRefusal(run)) return run;
  const { kept = null, ...result } = run;
  return { run: result, version: form.version, kept, ...(form.keep && kept === null ? { full: true } : {}) };
}

export type FileRunsOffer = {
  /** Why it cannot run here; null if it can. */
  barred: "premium" | "disabled" | "too_large" | null;
  keep: boolean;
  open: boolean;
  underWay: RunUnderWay | null;
  results: RunSummary[];
  chosen: RunResult | null;
};

/** The state of running a file on its page; null if its language does not run here. `?run=` opens that part, with the given or the last result. */
export async function readFileRuns(
  { db, env, runsUnderWay }: WebServices,
  { user, role }: SignedIn,
  file: FileRecord,
  url: string,
): Promise<FileRunsOffer | null> {
  if (!isRunnable(file.language)) return null;
  const requestedId = new URL(url).searchParams.get("run");
  const results = await listRunResults(db, user.id, file.id);
  const underWay = runsUnderWay.find(user.id, file.id);
  // The last result is that of the run under way.
  const resultId = underWay && requestedId === "last" ? null : requestedId;
  return {
    barred: findRunObstacle(env.codeExecutionEnabled, canRunCode(role), file.size_bytes),
    keep: user.keep_run_results !== false,
    open: requestedId !== null,
    underWay,
    results,
    chosen: resultId === null ? null : await findResult(db, user.id, file.id, resultId, results),
  };
}

function findResult(db: Db, ownerId: string, fileId: string, resultId: string, [newest]: RunSummary[]) {
  const id = resultId === "last" ? newest?.id : resultId;
  return id ? findRunResult(db, ownerId, fileId, id) : null;
}

function findRunObstacle(isEnabled: boolean, mayRun: boolean, bytes: number): FileRunsOffer["barred"] {
  if (!isEnabled) return "disabled";
  if (!mayRun) return "premium";
  return bytes > CODE_LIMITS.max_code_length_bytes ? "too_large" : null;
}
