import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { useText } from "#app/i18n/text.ts";
import { listWireJobs } from "#app/operators/job-wire.server.ts";
import { ZoneNote } from "#app/operators/zone-note.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/jobs.css?url";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { setRunsDismissed } from "#db/jobs/job-dismissal.server.ts";
import { retryRuns } from "#db/jobs/job-retry.server.ts";
import { requestCancel } from "#db/jobs/job-runs.server.ts";
import { setJobEnabled, setJobPaused } from "#db/jobs/job-settings.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { resumeJob } from "#db/jobs/job-waiting.server.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import { jobForm, listChosenRuns } from "./form.server.ts";
import { JobRows } from "./job-rows.tsx";
import { readRuns } from "./jobs-view.server.ts";
import { RunList } from "./run-list.tsx";
import { isChosenFrom } from "./run-tabs.ts";

const HERE = "/admin/jobs";
const REFRESH_SECONDS = "5";

export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  const { services } = args.context;
  const text = getDictionary(await args.context.locale());
  const [jobs, runList, living] = await Promise.all([
    listWireJobs(services, (jobId) => text.jobs.names[jobId]),
    readRuns(services, new URL(args.request.url)),
    listLivingWorkers(services.db, services.clock()),
  ]);
  const unusedJobs: JobId[] = services.env.backups ? [] : ["backup"];
  const isUnderWay = runList.counts.running + runList.counts.waiting > 0;
  // While failed runs can be selected, the list does not change under its reader.
  const isSelecting = isChosenFrom(runList.tab) && runList.runs.length > 0;
  const headers: HeadersInit = isUnderWay && !isSelecting ? { Refresh: REFRESH_SECONDS } : {};
  return json({ jobs, unused: unusedJobs, hasWorker: living.length > 0, ...runList }, { headers });
}

export const headers = passRefreshHeader;

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args);
  const form = await readForm(args, jobForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  if (form.intent === "cancel") return cancel(args, form.run_id);
  if ("shown" in form) return SELECTION_ACTIONS[form.intent](args, listChosenRuns(form));
  if (form.intent === "run") return run(args, form.job_id);
  const { db, queue, clock } = args.context.services;
  if (form.intent === "pause") await setJobPaused(db, form.job_id, true);
  else if (form.intent === "resume") await resumeJob(db, queue.send, form.job_id, clock());
  else await setJobEnabled(db, form.job_id, form.intent === "enable");
  return answerSuccess(args.request, { ok: true }, HERE);
}

async function run(args: ActionFunctionArgs, job_id: JobId) {
  const { db, queue, clock } = args.context.services;
  const { run_id } = await triggerJob(db, queue, job_id, "manual", clock());
  args.context.session.flash({ say: "job_queued", job_id });
  return answerSuccess(args.request, { ok: true, run_id }, HERE, 202);
}

async function cancel(args: ActionFunctionArgs, run_id: string) {
  const { db, clock } = args.context.services;
  if (!(await requestCancel(db, run_id, clock())))
    return answerRefusal(args.request, Refusal("run_not_found", { run_id }), {});
  return answerSuccess(args.request, { ok: true }, `${HERE}?tab=running`);
}

const SELECTION_ACTIONS = {
  retry,
  dismiss: (args: ActionFunctionArgs, runIds: string[]) =>
    setDismissed(args, runIds, args.context.services.clock()),
  restore: (args: ActionFunctionArgs, runIds: string[]) => setDismissed(args, runIds, null),
};

async function setDismissed(args: ActionFunctionArgs, runIds: string[], dismissedAt: Date | null) {
  if (runIds.length === 0) return answerRefusal(args.request, Refusal("no_runs_selected"), {});
  const runs = await setRunsDismissed(args.context.services.db, runIds, dismissedAt);
  if (isRefusal(runs)) return answerRefusal(args.request, runs, {});
  args.context.session.flash({ say: dismissedAt ? "runs_dismissed" : "runs_restored", count: runs.length });
  return answerSuccess(args.request, { ok: true, run_ids: runs.map(({ run_id }) => run_id) }, HERE);
}

async function retry(args: ActionFunctionArgs, runIds: string[]) {
  const { db, queue, clock } = args.context.services;
  if (runIds.length === 0) return answerRefusal(args.request, Refusal("no_runs_selected"), {});
  const result = await retryRuns(db, queue, runIds, clock());
  if (isRefusal(result)) return answerRefusal(args.request, result, {});
  args.context.session.flash({ say: "runs_retried", count: result.length });
  return answerSuccess(args.request, { ok: true, run_ids: result.map(({ run_id }) => run_id) }, HERE, 202);
}

export const handle: PageHandle = { title: (text) => text.jobs.title, jsonTwin: "/api/jobs" };

export const links = linkSheets(styles);

export default function Jobs() {
  const { jobs, unused, hasWorker, ...listed } = useLoaderData<typeof loader>();
  const answer = useActionData<{ refusal: { code?: RefusalCode } }>();
  const { jobs: text, operators } = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <ZoneNote />
      <RefusalAlert code={answer?.refusal.code} />
      {!hasWorker && <Alert>{operators.noWorker}</Alert>}
      <RunList {...listed} />
      <section className="section">
        <div className="section-head">
          <h2>{text.schedules}</h2>
        </div>
        <p className="soft below-3">{text.stopHint}</p>
        <JobRows jobs={jobs} unused={unused} />
      </section>
    </>
  );
}
