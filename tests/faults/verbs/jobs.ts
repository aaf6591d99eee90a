import { endObsoleteAlerts } from "#db/alerts/alert-endings.server.ts";
import { setExplanation } from "#db/alerts/alert-explanations.server.ts";
import { acknowledgeAlert, listFiringAlerts, muteAlert } from "#db/alerts/alert-life.server.ts";
import { raiseAlert, recordAlerts } from "#db/alerts/alerts.server.ts";
import {
  activateAnnouncement,
  createAnnouncement,
  deactivateAnnouncement,
  removeAnnouncement,
  updateAnnouncement,
} from "#db/alerts/announcements.server.ts";
import { recordQuickFixUse } from "#db/alerts/quick-fix-uses.server.ts";
import type { Db } from "#db/client.ts";
import { createEmitter } from "#db/events/events.server.ts";
import { createRequestTimings } from "#db/events/request-timings.server.ts";
import { setRunDismissed, setRunsDismissed } from "#db/jobs/job-dismissal.server.ts";
import { retryRun, retryRuns } from "#db/jobs/job-retry.server.ts";
import {
  claimRun,
  closeCancelledRun,
  closeOrphanedRun,
  closeRunOfStoppingWorker,
  completeRun,
  createRun,
  failRun,
  recordFailedRun,
  recordRunHeartbeat,
  recordRunProgress,
  releaseRun,
  removePendingRun,
  requestCancel,
  setRunReportedStuck,
  skipRun,
} from "#db/jobs/job-runs.server.ts";
import { setJobEnabled, setJobPaused } from "#db/jobs/job-settings.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { resumeJob, sendLostRuns } from "#db/jobs/job-waiting.server.ts";
import { recordHeartbeat, removeWorker } from "#db/jobs/workers.server.ts";
import { claimDelivery, releaseDelivery } from "#db/repos/webhook-deliveries.server.ts";
import type { Alert } from "#domain/alerts/alert.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { silentLog } from "#platform/log.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { NOON } from "#tests/support/store.ts";
import { nothing, OWNER, row, type VerbRow } from "../verb-row.ts";
import { givenFailed, givenRun, givenRunning, LATER, quietQueue } from "./given.ts";

const ALERT = { name: "one", severity: "critical", summary: "one", status: "firing", metadata: {} } as const;
const ALARM = { rule: "job_failed", subject: "trash_check", severity: "error", summary: "one", metadata: {} };
const SAYS = { text: "Back at noon", link: null };
const clock = () => NOON;
const ONCE_RETRIED = { mayDiffer: { repeats: "who asks again is told that the run was retried already" } };
const givenAnnouncement = (db: Db) => createAnnouncement(db, SAYS, NOON);
const givenActive = async (db: Db) => {
  const { id } = await givenAnnouncement(db);
  await activateAnnouncement(db, id);
  return { id };
};

async function givenAlert(db: Db): Promise<Alert> {
  await raiseAlert(db, ALARM as never, NOON);
  return itemAt(await listFiringAlerts(db), 0);
}

const runs = {
  "job-runs/createRun": row(nothing, (db) => createRun(db, "trash_check", "manual", NOON)),
  "job-runs/claimRun": row(givenRun, (db, run) => claimRun(db, run, "w1", NOON)),
  "job-runs/completeRun": row(givenRunning, (db, run) => completeRun(db, run, { n: 1 }, LATER)),
  "job-runs/failRun": row(givenRunning, (db, run) => failRun(db, run, "it broke", LATER)),
  "job-runs/skipRun": row(givenRun, (db, run) => skipRun(db, run, "disabled", LATER)),
  "job-runs/closeOrphanedRun": row(givenRunning, (db, run) => closeOrphanedRun(db, run, LATER)),
  "job-runs/recordRunHeartbeat": row(givenRunning, (db, { run_id }) => recordRunHeartbeat(db, run_id, LATER)),
  "job-runs/requestCancel": row(givenRunning, (db, { run_id }) => requestCancel(db, run_id, LATER)),
  "job-runs/closeCancelledRun": row(givenRunning, (db, run) => closeCancelledRun(db, run, LATER)),
  "job-runs/closeRunOfStoppingWorker": row(givenRunning, (db, run) =>
    closeRunOfStoppingWorker(db, run, LATER),
  ),
  "job-runs/releaseRun": row(givenRunning, (db, { run_id }) => releaseRun(db, run_id, LATER)),
  "job-runs/recordRunProgress": row(givenRunning, (db, { run_id }) =>
    recordRunProgress(db, run_id, { processed_items: 1 }, LATER, [{ at: LATER, line: "one" }]),
  ),
  "job-runs/recordFailedRun": row(nothing, (db) =>
    recordFailedRun(db, "reminder_push", { note_id: "n" }, "push_given_up", NOON),
  ),
  "job-runs/setRunReportedStuck": row(givenRunning, (db, run) => setRunReportedStuck(db, run, LATER)),
  "job-runs/removePendingRun": row(givenRun, (db, { run_id }) => removePendingRun(db, run_id)),
  "job-settings/setJobEnabled": row(nothing, (db) => setJobEnabled(db, "trash_check", false)),
  "job-settings/setJobPaused": row(nothing, (db) => setJobPaused(db, "repo_sync", true)),
  "job-retry/retryRun": row(
    givenFailed,
    (db, { run_id }) => retryRun(db, quietQueue, run_id, LATER),
    ONCE_RETRIED,
  ),
  "job-retry/retryRuns": row(
    givenFailed,
    (db, { run_id }) => retryRuns(db, quietQueue, [run_id], LATER),
    ONCE_RETRIED,
  ),
  "job-dismissal/setRunDismissed": row(givenFailed, (db, { run_id }) => setRunDismissed(db, run_id, LATER)),
  "job-dismissal/setRunsDismissed": row(givenFailed, (db, { run_id }) =>
    setRunsDismissed(db, [run_id], LATER),
  ),
  "job-waiting/resumeJob": row(givenRun, (db, { job_id }) => resumeJob(db, quietQueue.send, job_id, LATER)),
  "job-waiting/sendLostRuns": row(
    givenRun,
    (db) => sendLostRuns(db, quietQueue.send, new Set(), new Date(NOON.getTime() + DAY_MS)),
    { mayDiffer: { repeats: "a run that was sent again is not lost any more" } },
  ),
  "job-trigger/triggerJob": row(nothing, (db) => triggerJob(db, quietQueue, "trash_check", "manual", NOON)),
};

const operations = {
  "alerts/recordAlerts": row(
    nothing,
    (db) =>
      recordAlerts(
        db,
        ["a", "b"].map((fingerprint) => ({ ...ALERT, fingerprint, started_at: NOON, ended_at: null })),
        NOON,
      ),
    { mayDiffer: { repeats: "whoever tells of an alert tells of it again" } },
  ),
  "alerts/raiseAlert": row(nothing, (db) => raiseAlert(db, ALARM as never, NOON)),
  "alert-endings/endObsoleteAlerts": row(givenAlert, (db) => endObsoleteAlerts(db, LATER), {
    mayDiffer: { repeats: "an alert that has ended is not ended again" },
  }),
  "alert-life/acknowledgeAlert": row(givenAlert, (db, { alert_uid }) =>
    acknowledgeAlert(db, alert_uid, LATER),
  ),
  "alert-life/muteAlert": row(givenAlert, (db, { alert_uid }) => muteAlert(db, alert_uid, LATER)),
  "alert-explanations/setExplanation": row(nothing, (db) => {
    const text = { root_cause: "one", actions: [], signals: [], provider: "rules", generated_at: NOON };
    return setExplanation(db, ALERT, { provider: "rules", locale: "en" }, text);
  }),
  "announcements/createAnnouncement": row(nothing, (db) => createAnnouncement(db, SAYS, NOON)),
  "announcements/updateAnnouncement": row(givenAnnouncement, (db, { id }) =>
    updateAnnouncement(db, id, { ...SAYS, text: "Back at one" }, LATER),
  ),
  "announcements/activateAnnouncement": row(givenAnnouncement, (db, { id }) => activateAnnouncement(db, id)),
  "announcements/deactivateAnnouncement": row(givenActive, (db, { id }) => deactivateAnnouncement(db, id)),
  "announcements/removeAnnouncement": row(givenActive, (db, { id }) => removeAnnouncement(db, id)),
  "events/createEmitter": row(
    async () => [] as { flush(): Promise<void> }[],
    async (db, emitters) => {
      const emitter = createEmitter({ collections: db, log: silentLog, metrics: createMetrics(), clock });
      emitters.push(emitter);
      for (const count of [1, 2, 3]) emitter.emit("push_subscriptions_cleanup", { count });
      await emitter.close();
    },
    { finish: (_, [emitter]) => required(emitter).flush(), isSilent: true },
  ),
  "request-timings/createRequestTimings": row(
    async () => [] as { flush(): Promise<void> }[],
    async (db, recorders) => {
      const timings = createRequestTimings({ collections: db, log: silentLog, clock });
      recorders.push(timings);
      timings.record("GET", "/files", 200, 12);
      await timings.close();
    },
    { finish: (_, [timings]) => required(timings).flush(), isSilent: true },
  ),
  "quick-fix-uses/recordQuickFixUse": row(nothing, (db) =>
    recordQuickFixUse(db, OWNER, { alert_uid: "a", action_id: "retry_job" }, NOON),
  ),
  "webhook-deliveries/claimDelivery": row(nothing, (db) => claimDelivery(db, "d1", NOON)),
  "webhook-deliveries/releaseDelivery": row(
    (db) => claimDelivery(db, "d1", NOON),
    (db) => releaseDelivery(db, "d1"),
  ),
  "workers/recordHeartbeat": row(nothing, (db) => recordHeartbeat(db, "w1", NOON, NOON)),
  "workers/removeWorker": row(
    (db) => recordHeartbeat(db, "w1", NOON, NOON),
    (db) => removeWorker(db, "w1"),
  ),
};

export const JOB_VERBS: Record<string, VerbRow> = { ...runs, ...operations };
