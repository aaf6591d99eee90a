import type { AlertRule } from "#domain/alerts/alert.ts";
import type { AlertReading } from "#domain/alerts/alert-explanation.ts";

/** What our own rules know about an alert, and about one that none of them knows. */
export const alertReadings: Record<AlertRule | "unknown", AlertReading> = {
  high_error_rate: {
    causes:
      "Requests fail on our side. The usual causes are a database that cannot be reached, a new version with a fault, or one page that fails for everybody.",
    actions: [
      "Look at /readyz: it names a database or worker that is missing.",
      "Replay the minutes around the alert and read the request_failed events; their code tells storage_unavailable from internal.",
      "Where it began with a new version, go back to the one before.",
    ],
  },
  slow_endpoint: {
    causes:
      "One address answers slowly while requests succeed. The usual causes are a missing index, a very large library, or a machine that is busy with something else.",
    actions: [
      "Look at /admin/verify-indexes and build what is missing.",
      "Compare with the other endpoints: where all are slow, it is the machine or the database, not the page.",
    ],
  },
  job_failed: {
    causes: "A run of a background job ended with an error; the message of the run tells which.",
    actions: [
      "Open /admin/jobs and read the log lines of the run.",
      "Run the job again once the cause is gone; every job is safe to run twice.",
    ],
  },
  job_stuck: {
    causes:
      "A run is silent or takes far longer than it should: its worker died, or it waits for something that does not answer.",
    actions: [
      "See on /admin/jobs whether a worker is alive and whether the run still reports progress.",
      "Cancel the run; where its worker is dead, a new worker closes it when it starts.",
    ],
  },
  ttl_index_missing: {
    causes:
      "The index that lets the store delete expired items is missing or has other options, so the recycle bin is not emptied.",
    actions: [
      "Rebuild the indexes (quick fix, or the release step).",
      "Read the db_index_create_error event before the alert: it says why the index could not be made.",
    ],
  },
  push_exhausted: {
    causes:
      "A push service refused or did not answer all attempts for a message. Often the VAPID keys changed, or the worker cannot reach the internet.",
    actions: [
      "Read the push_send_error events: 401 or 403 mean wrong VAPID keys, timeouts mean no way out.",
      "Send a test from /settings/devices by both routes.",
    ],
  },
  events_dropped: {
    causes:
      "The document store was away for so long that waiting events had to give way. The log lines have them all.",
    actions: ["See when the store was away and why.", "Read the log of that time instead of the replay."],
  },
  unknown: {
    causes: "No rule of ours knows this alert; what it says and carries is all there is.",
    actions: [
      "Read the labels and annotations of the alert and the rule that raised it.",
      "Replay the half hour before it: what changed first is the likeliest cause.",
    ],
  },
};
