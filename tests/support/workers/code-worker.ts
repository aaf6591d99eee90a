/** A worker that only runs programs, in the process of the test. */
import { afterAll } from "vitest";
import { openWorkingQueue } from "#db/jobs/queue.server.ts";
import { silentLog } from "#platform/log.ts";
import type { TestWeb } from "#tests/support/web.ts";
import { openTestSandbox } from "#tests/support/workers/sandbox.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { createCodeRunner } from "#worker/code-runner.ts";
import { runJob } from "#worker/run-job.ts";

export async function startCodeWorker({ db, clock, databaseUrl }: TestWeb) {
  const sandbox = openTestSandbox();
  const queue = await openWorkingQueue({ databaseUrl, log: silentLog });
  afterAll(() => queue.close());
  const runCode = await createCodeRunner({ db, codeRuns: queue.codeRuns, sandbox, log: silentLog });
  const services = createTestServices({ db, clock }, { workerId: "code", runCode });
  const { signal } = new AbortController();
  await queue.work("code_run", (envelope) => runJob(services, "code_run", envelope, signal), 2);
  return { sandbox, queue };
}
