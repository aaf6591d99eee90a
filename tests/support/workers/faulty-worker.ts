/** The worker process in which closing the runs of stopped workers meets another fault each time, in this order. */
import { MongoNetworkError } from "mongodb";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { HANDLERS } from "#worker/handlers.ts";
import type { WorkerServices } from "#worker/job.ts";

/** Runs `happens` before the job closes each run. */
function beforeClosing(services: WorkerServices, happens: (runId: string) => unknown): WorkerServices {
  const db = replaceVerb(services.db, "job_runs", "updateOne", async (close, filter, ...words) => {
    if (filter.heartbeat_at) await happens(filter._id);
    return close(filter, ...words);
  });
  return { ...services, db };
}

const FAULTS: ((services: WorkerServices) => WorkerServices)[] = [
  (services) =>
    beforeClosing(services, (_id) =>
      services.db.job_runs.updateOne({ _id }, { $set: { heartbeat_at: new Date() } }),
    ),
  (services) => {
    let passedMs = 0;
    const late = { ...services, clock: () => new Date(Date.now() + passedMs) };
    return beforeClosing(late, () => (passedMs += 3 * MINUTE_MS));
  },
  (services) =>
    beforeClosing(services, () => {
      throw new Error("a fault of ours");
    }),
  (services) =>
    beforeClosing(services, () => {
      throw new MongoNetworkError("gone");
    }),
];

const reconcile = HANDLERS.orphan_reconcile;
HANDLERS.orphan_reconcile = (work) => {
  const put = FAULTS.shift() ?? ((services) => services);
  return reconcile({ ...work, services: put(work.services) });
};

await import("#worker/index.ts");
