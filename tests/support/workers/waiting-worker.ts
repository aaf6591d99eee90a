/**
 * The worker process itself, but for one job that is at work until it is told to end, by SIGUSR2, or the worker stops. The jobs
 * that tests count runs of start by no clock.
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
