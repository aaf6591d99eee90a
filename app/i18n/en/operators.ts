import { amount } from "#app/i18n/amount.ts";
import { counted } from "#app/i18n/en/counted.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

/** Words of the operators' pages. */
export const operators = {
  timesIn: (zone: string) => `Times in ${zone}`,
  title: "Administration",
  nav: { observability: "Observability", indexes: "Indexes" },
  unknown: "Unknown",
  healthHead: "Health",
  gauges: {
    workers: "Workers running",
    failed: "Failed job runs",
    waiting: "Jobs waiting",
    oldest: "Oldest waiting job",
    running: "Jobs running",
    indexes: "Indexes",
    alerts: "Active alerts",
    backup: "Last backup",
  },
  allWell: "Everything is working.",
  allWellWithoutBackups: "Everything is working, but automatic backups are off.",
  lookAt: "Needs attention:",
  noWorker:
    "No worker is running. Jobs and reminders are on hold. Start it again (npm start runs it, or node worker/index.ts); its log says why it stopped.",
  noneWaiting: "None",
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
  lastSeen: "Last seen",
  alive: "Running",
  silent: "Not responding",
  state: "State",
  isolation: {
    title: "Sandbox",
    lead: "How programs and git are isolated on each worker.",
    holds: "Active",
    missing: "Gaps",
    none: "None",
    unreported: "Not reported yet",
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
    gaps: {
      limits: "No limits on memory, files and threads",
      user: "Programs share one user",
      network: "Programs can use the network",
      privileges: "Programs can gain privileges",
      processes: "Programs can see other processes",
      files: "Programs can see other files",
      syscalls: "Dangerous system calls are not blocked",
      git: "Git can see other files",
    },
  },
  backups: {
    title: "Backups",
    name: "File",
    size: "Size",
    made: "Made",
    none: "No backups yet.",
    noneShort: "None",
    offShort: "Off",
    off: "Automatic backups are off. Set BACKUP_DIR to turn them on.",
  },
  sortBy: (column: string) => `Sort by ${column}`,

  indexes: {
    title: "Indexes",
    lead: "Lists and searches fail without their index. Without an expiry index, nothing expires.",
    allPresent: "All present",
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
    trashHead: "Trash expiry",
    trashStates: {
      present: "Expired files are deleted automatically.",
      missing: "An expiry index is missing. Files in the trash are not deleted.",
      different: "An expiry index is different. Files in the trash may not be deleted.",
      unchecked: "The expiry indexes could not be checked.",
    },
    overdue: "Overdue files",
    overdueUnknown: "Unknown",
    trashRepair: "To give files in the trash a missing date, run npm run recycle-backfill.",
    collection: counted("index", "indexes"),
    noIndexes: "no indexes",
    index: "Index",
    key: "Key",
    options: "Options",
    unique: "unique",
    expires: (seconds: number) =>
      seconds === 0
        ? "expires on its date"
        : `expires after ${(seconds / DAY_SECONDS).toLocaleString("en")} d`,
    partial: "partial",
    others: "Not used by this version:",
    states: {
      present: "Present",
      missing: "Missing",
      different: "Different",
      unchecked: "Not checked",
    },
  },
};
