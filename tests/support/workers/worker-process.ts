/** A real worker process, which ends with its test, even a failed one. */

import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Environment } from "#db/local/processes/server-process.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { type Running, run } from "#tests/support/programs/running.ts";

type Databases = { uri: string; databaseUrl: string };

export function startWorker({ uri, databaseUrl }: Databases, env: Environment = {}): Running {
  const worker = run(process.execPath, [join(PROJECT_ROOT, "worker", "index.ts")], {
    env: { PATH: process.env.PATH, MONGODB_URI: uri, DATABASE_URL: databaseUrl, ...env },
  });
  onTestFinished(async () => {
    worker.child.kill("SIGKILL");
    await worker.exit;
  });
  return worker;
}
