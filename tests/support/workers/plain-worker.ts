/** A worker that answers every program at once, for tests of the way there; the sandbox has tests of its own. */
import { afterAll } from "vitest";
import { openWorkingQueue } from "#db/jobs/queue.server.ts";
import { silentLog } from "#platform/log.ts";
import type { TestWeb } from "#tests/support/web.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { createCodeRunner } from "#worker/code-runner.ts";
import { runJob } from "#worker/run-job.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";

const ANSWER = {
  ending: { exit: 0 },
  output: { stdout: "1\n", stderr: "", truncated: false, ms: 1, written: [] },
};

const sandbox = {
  take: async () => ({ runProgram: async () => ANSWER }),
  giveBack: () => {},
} as unknown as Sandbox;

export async function startPlainWorker(
  { db, clock }: Pick<TestWeb, "db" | "clock">,
  databaseUrl: string,
): Promise<void> {
  const queue = await openWorkingQueue({ databaseUrl, log: silentLog });
  afterAll(() => queue.close());
  const runCode = await createCodeRunner({ db, codeRuns: queue.codeRuns, sandbox, log: silentLog });
  const services = createTestServices({ db, clock }, { workerId: "plain", runCode });
  const { signal } = new AbortController();
  await queue.work("code_run", (envelope) => runJob(services, "code_run", envelope, signal));
}
