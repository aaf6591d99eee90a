import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";

/** The words of the operators' pages. */
export const operators = {
  title: "Administration",
  nav: { overview: "Overview", observability: "Observability", indexes: "Indexes" },
  unknown: "could not be asked",
  healthHead: "Health",
  gauges: {
    workers: "Workers alive",
    waiting: "Jobs waiting",
    oldest: "Oldest waiting job",
    running: "Jobs at work",
    indexes: "Indexes",
    alerts: "Alerts in 24 hours",
  },
  noWorker: "No worker is alive: nothing that is queued is done, and reminders are not sent.",
  noneWaiting: "none",
  since: "since",
  placesHead: "Pages",
  places: {
    jobs: "What runs by itself, its runs and their logs.",
    queues: "What waits for a worker, and for how long.",
    observability: "Alerts, response times, errors, and what happened when.",
    indexes: "Whether the database has what queries and the trash stand on.",
    announcements: "A line that everyone sees under the bar.",
    people: "Roles, and ending sessions.",
  },
  queues: "Queues",
  queuesQuiet: "Nothing waits and nothing is at work.",
  waiting: "Waiting",
  active: "At work",
  oldest: "Oldest waiting",
  workers: "Workers",
  worker: "Worker",
  workersNone: "No worker was heard of within a day.",
  started: "Started",
  heard: "Last heard",
  alive: "alive",
  silent: "silent",
  state: "State",
  isolation: {
    title: "What holds programs",
    lead: "Programs and git run apart from everything else on a worker's machine. What the machine cannot give is missing.",
    holds: "Holds",
    missing: "Missing",
    none: "nothing",
    untold: "not told yet",
    layers: {
      limits: "limits on memory, files and threads",
      user: "a user of its own for each program",
      network: "no network",
      privileges: "no way to more rights",
      processes: "no other process in sight",
      files: "no files in sight but its own",
      syscalls: "dangerous system calls refused",
      git: "git sees its own mirror alone",
    },
  },
  sortBy: (column: string) => `Sort by ${column}`,

  indexes: {
    title: "Indexes",
    lead: "What each collection wants, and what the database has. Without an index its queries still answer, only slowly; without an expiry index nothing goes by itself.",
    complete: counted("index, present as wanted.", "indexes, all present as wanted."),
    wrong: counted("index is not as wanted.", "indexes are not as wanted."),
    unchecked: counted(
      "index could not be checked. That does not mean it is missing.",
      "indexes could not be checked. That does not mean they are missing.",
    ),
    build: "Build what is missing",
    buildHint:
      "Indexes that differ are replaced. Building a large one may outlast this page; look again, or run the release step, which has no limit.",
    built: (built: number, failed: number) =>
      failed === 0
        ? built === 0
          ? "There was nothing to build."
          : counted("index is built.", "indexes are built.")(built)
        : `${counted("index is built", "indexes are built")(built)}, ${amount(failed)} could not be. The reason is in the events.`,
    binHead: "Recycle bin expiry",
    binStates: {
      present: "The indexes that empty the bin are there.",
      missing: "An index that empties the bin is missing. Files in the trash are not deleted at their date.",
      different:
        "An index that empties the bin differs from what is wanted. Files in the trash may not be deleted at their date.",
      unchecked: "Whether the bin empties itself could not be checked.",
    },
    overdue: "Overdue files",
    overdueUnknown: "not known",
    binRepair: "Files in the bin that never got a date are repaired by npm run recycle-backfill.",
    collection: counted("index", "indexes"),
    noIndexes: "needs no index of its own",
    index: "Index",
    key: "Key",
    options: "Options",
    unique: "unique",
    expires: (seconds: number) =>
      seconds === 0 ? "expires at its date" : `expires after ${(seconds / 86_400).toLocaleString("en")} d`,
    partial: "partial",
    others: "Present and not wanted by this version:",
    states: {
      present: "present",
      missing: "missing",
      different: "different",
      unchecked: "could not check",
    },
  },
};
