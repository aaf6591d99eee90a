import type { KnownAlert } from "#domain/alerts/alert.ts";
import type { AlertReading } from "#domain/alerts/alert-explanation.ts";

/** The explanations of our own alert rules, and of an unknown alert. */
export const alertReadings: Record<KnownAlert | "unknown", AlertReading> = {
  high_error_rate: {
    causes:
      "Requests fail on the server. Common causes: the database is unreachable, a faulty release, or one broken page.",
    actions: [
      "Open /readyz to see whether a database or worker is missing.",
      "Show the events around the alert and read request_failed: its code tells storage_unavailable from internal.",
      "If it began with a release, roll back.",
    ],
  },
  slow_endpoint: {
    causes:
      "One endpoint answers slowly. Common causes: a missing index, a very large library, or a busy machine.",
    actions: [
      "Open /admin/verify-indexes and build missing indexes.",
      "Compare other endpoints: if all are slow, check the machine and the database.",
    ],
  },
  job_failed: {
    causes: "A background job ended with an error. The run shows which.",
    actions: [
      "Open /admin/jobs and read the run’s log.",
      "Fix the cause, then run the job again. Every job is safe to run twice.",
    ],
  },
  job_stuck: {
    causes: "A run is not responding or takes far too long: its worker stopped, or it waits for something.",
    actions: [
      "Open /admin/jobs and check that a worker is running and the run makes progress.",
      "Cancel the run. If its worker stopped, another worker closes it within 6 minutes; then retry it.",
    ],
  },
  ttl_index_missing: {
    causes: "The index that deletes expired items is missing or different, so the trash is not emptied.",
    actions: [
      "Rebuild the indexes with the quick fix or the release step.",
      "Read the db_index_create_error event before the alert to see why it failed.",
    ],
  },
  push_exhausted: {
    causes:
      "A push service refused a message or did not answer. Common causes: changed VAPID keys, or a worker without internet access.",
    actions: [
      "Read the push_send_error events: 401 or 403 mean wrong VAPID keys, timeouts mean no connection.",
      "Send a test from /settings/devices with both buttons.",
    ],
  },
  events_dropped: {
    causes: "The database was unavailable for too long, so events were dropped. The log still has them.",
    actions: ["Find out when and why the database was unavailable.", "Read the log of that time."],
  },
  backup_late: {
    causes:
      "No new backup has appeared in the backup folder. Common causes: the disk is full, the folder is not writable, or no worker is running.",
    actions: [
      "Open Jobs and read the last run of the backup.",
      "Check the free space of the disk, and start the job again.",
    ],
  },
  CodeshelfErrors: {
    causes:
      "More than one request in twenty fails on the server. Common causes: the database is unreachable, or a faulty release.",
    actions: [
      "Open /readyz to see whether a database or worker is missing.",
      "Show the events around the alert and read request_failed.",
      "If it began with a release, roll back.",
    ],
  },
  CodeshelfSlow: {
    causes: "One route answers slowly for ten minutes. Common causes: a missing index, or a busy machine.",
    actions: [
      "Open /admin/verify-indexes and build missing indexes.",
      "If all routes are slow, check the machine and the database.",
    ],
  },
  CodeshelfNoWorker: {
    causes: "No worker is alive. Reminders, mirrors, imports and code runs wait.",
    actions: [
      "Start a worker, or read the log of the one that stopped.",
      "Open /admin/jobs: runs that stopped with it are listed as failed and can be retried.",
    ],
  },
  CodeshelfQueueWaits: {
    causes: "Jobs of one kind have waited for five minutes: there are too few workers, or the job is paused.",
    actions: [
      "Open /admin/jobs and see what runs and whether the job is paused.",
      "Start another worker if all of them are busy.",
    ],
  },
  CodeshelfJobsFail: {
    causes: "The same job failed more than twice in a quarter of an hour.",
    actions: [
      "Open /admin/jobs and read the error and the log of a failed run.",
      "Fix the cause, then retry.",
    ],
  },
  CodeshelfPushFails: {
    causes:
      "Push services refuse messages or do not answer. Common causes: changed VAPID keys, or a worker without internet access.",
    actions: [
      "Read the push_send_error events: 401 or 403 mean wrong VAPID keys, timeouts mean no connection.",
      "Send a test from /settings/devices with both buttons.",
    ],
  },
  CodeshelfSandboxFails: {
    causes:
      "Programs cannot be run: the sandbox does not start, or its machine lacks memory or a layer of isolation.",
    actions: [
      "Open /admin/jobs and read the failed runs of code.",
      "Check memory and the isolation of each worker.",
    ],
  },
  CodeshelfEventsLost: {
    causes: "The database was unavailable for too long, so events were dropped. The log still has them.",
    actions: ["Find out when and why the database was unavailable.", "Read the log of that time."],
  },
  CodeshelfDatabaseWaits: {
    causes: "Requests wait for a connection to the document database: it is slow, or the pool is too small.",
    actions: ["Check the load of the database.", "Open /admin/verify-indexes and build missing indexes."],
  },
  CodeshelfDatabaseRefuses: {
    causes: "The document database cannot be reached.",
    actions: ["Open /readyz to see what answers.", "Check the database, its address and the network to it."],
  },
  CodeshelfEventLoopHeld: {
    causes:
      "One process makes everybody wait for more than a second: some work is too long for its event loop.",
    actions: [
      "Compare with the slowest endpoints of that time.",
      "Check whether the machine is out of processor time.",
    ],
  },
  CodeshelfThreadsTurnAway: {
    causes: "All threads for work on texts are busy, so texts are shown without colours or not at all.",
    actions: [
      "Check whether one person opens many very large files.",
      "Give the machine more processors, or start another web process.",
    ],
  },
  CodeshelfBackupLate: {
    causes:
      "The newest backup is more than two days old. Common causes: the disk is full, the folder is not writable, or no worker is running.",
    actions: [
      "Open Jobs and read the last run of the backup.",
      "Check the free space of the disk, and start the job again.",
    ],
  },
  CodeshelfBackupFails: {
    causes:
      "A backup was started and not finished. Common causes: the disk is full, or the folder of the backups is not writable.",
    actions: [
      "Open Jobs: the failed run says why.",
      "Free space on the disk of the backups or of the data, and retry the run.",
    ],
  },
  unknown: {
    causes: "There is no built-in explanation for this alert.",
    actions: [
      "Read its labels and annotations, and the rule that raised it.",
      "Show the events of the half hour before it: what changed first is the likeliest cause.",
    ],
  },
};
