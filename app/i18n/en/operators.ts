import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";

/** The words of the operators' pages. */
export const operators = {
  title: "Administration",
  nav: { overview: "Overview", observability: "Observability", indexes: "Indexes" },
  unknown: "Unknown",
  healthHead: "Health",
  gauges: {
    workers: "Workers running",
    waiting: "Jobs waiting",
    oldest: "Oldest waiting job",
    running: "Jobs running",
    indexes: "Indexes",
    alerts: "Alerts in 24 hours",
  },
  noWorker: "No worker is running. Jobs and reminders are on hold.",
  noneWaiting: "None",
  since: "since",
  placesHead: "Pages",
  places: {
    jobs: "Background jobs and their runs.",
    queues: "Jobs waiting for a worker.",
    observability: "Alerts, response times, errors and events.",
    indexes: "Database indexes and their state.",
    announcements: "A message for everyone.",
    people: "Roles, access and locks.",
  },
  queues: "Queues",
  queuesQuiet: "All queues are empty.",
  waiting: "Waiting",
  active: "Running",
  oldest: "Oldest waiting",
  workers: "Workers",
  worker: "Worker",
  workersNone: "No workers in the last 24 hours.",
  started: "Started",
  heard: "Last seen",
  alive: "Running",
  silent: "Not responding",
  state: "State",
  isolation: {
    title: "Sandbox",
    lead: "How programs and git are isolated on each worker.",
    holds: "Active",
    missing: "Missing",
    none: "None",
    untold: "Not reported yet",
    layers: {
      limits: "Memory, file and thread limits",
      user: "Separate user per program",
      network: "No network",
      privileges: "No privilege escalation",
      processes: "Other processes hidden",
      files: "Other files hidden",
      syscalls: "Dangerous system calls blocked",
      git: "Git sees only its own mirror",
    },
  },
  sortBy: (column: string) => `Sort by ${column}`,

  indexes: {
    title: "Indexes",
    lead: "Without an index, queries are slow; without an expiry index, nothing expires.",
    complete: counted("index, present", "indexes, all present"),
    wrong: counted("index missing or different", "indexes missing or different"),
    unchecked: counted("index could not be checked", "indexes could not be checked"),
    build: "Build missing indexes",
    buildHint: "Different indexes are replaced. Large ones can take longer than this page; reload to check.",
    built: (built: number, failed: number) =>
      failed === 0
        ? built === 0
          ? "Nothing to build"
          : counted("index built", "indexes built")(built)
        : `${counted("index built", "indexes built")(built)}, ${amount(failed)} failed. See the events.`,
    binHead: "Trash expiry",
    binStates: {
      present: "Expired files are deleted automatically.",
      missing: "An expiry index is missing. Files in the trash are not deleted.",
      different: "An expiry index is different. Files in the trash may not be deleted.",
      unchecked: "The expiry indexes could not be checked.",
    },
    overdue: "Overdue files",
    overdueUnknown: "Unknown",
    binRepair: "To give files in the trash a missing date, run npm run recycle-backfill.",
    collection: counted("index", "indexes"),
    noIndexes: "no indexes",
    index: "Index",
    key: "Key",
    options: "Options",
    unique: "unique",
    expires: (seconds: number) =>
      seconds === 0 ? "expires on its date" : `expires after ${(seconds / 86_400).toLocaleString("en")} d`,
    partial: "partial",
    others: "Not used by this version:",
    states: {
      present: "present",
      missing: "missing",
      different: "different",
      unchecked: "not checked",
    },
  },
};
