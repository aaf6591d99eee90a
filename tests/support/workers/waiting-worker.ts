/**
 * The worker process with one job that stays in progress until SIGUSR2 or until the worker stops. The clock starts no job whose runs are
 * counted by tests.
 */
import { JOBS } from "#domain/jobs/jobs.ts";
import { HANDLERS } from "#worker/handlers.ts";

for (const jobId of ["trash_check", "stuck_monitor"] as const) Object.assign(JOBS[jobId], { cron: null });

HANDLERS.trash_check = async ({ signal, report, writeLog }) => {
  const ended = new Promise<void>((resolve, reject) => {
    process.once("SIGUSR2", () => resolve());
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  writeLog("at work");
  await report({});
  await ended;
  return {};
};

await import("#worker/index.ts");
