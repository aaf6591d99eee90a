import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { toWireRun } from "#app/operators/job-wire.server.ts";
import { RunActions } from "#app/operators/run-actions.tsx";
import { ZoneNote } from "#app/operators/zone-note.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/jobs.css?url";
import { answerRefusal, answerSuccess, requireValue } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { setRunDismissed } from "#db/jobs/job-dismissal.server.ts";
import { listAttempts, retryRun } from "#db/jobs/job-retry.server.ts";
import { findRun, requestCancel } from "#db/jobs/job-runs.server.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { runForm } from "./form.server.ts";
import { RunDetails } from "./run-details.tsx";
import { findRunSubject } from "./run-subject.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireAdmin(args);
  const { db } = args.context.services;
  const run_id = required(args.params.run_id);
  const run = requireValue(await findRun(db, run_id), Refusal("run_not_found", { run_id }));
  const [attempts, subject] = await Promise.all([
    listAttempts(db, run),
    findRunSubject(db, run.payload, user.id),
  ]);
  return json({ run: toWireRun(run), attempts: attempts.map(toWireRun), subject });
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args);
  const form = await readForm(args, runForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const { db, queue, clock } = args.context.services;
  const run_id = required(args.params.run_id);
  if (form.intent === "cancel") {
    if (!(await requestCancel(db, run_id, clock())))
      return answerRefusal(args.request, Refusal("run_not_found", { run_id }), {});
    return answerSuccess(args.request, { ok: true }, `/admin/jobs/runs/${run_id}`);
  }
  if (form.intent !== "retry") {
    const run = await setRunDismissed(db, run_id, form.intent === "dismiss" ? clock() : null);
    if (isRefusal(run)) return answerRefusal(args.request, run, {});
    args.context.session.flash({
      say: form.intent === "dismiss" ? "runs_dismissed" : "runs_restored",
      count: 1,
    });
    return answerSuccess(args.request, { ok: true }, `/admin/jobs/runs/${run_id}`);
  }
  const run = await retryRun(db, queue, run_id, clock());
  if (isRefusal(run)) return answerRefusal(args.request, run, {});
  args.context.session.flash({ say: "runs_retried", count: 1 });
  return answerSuccess(args.request, { ok: true, run_id: run.run_id }, `/admin/jobs/runs/${run.run_id}`, 202);
}

export const handle: PageHandle = { title: (text) => text.jobs.run, jsonTwin: "/api/jobs/runs/:run_id" };

export const links = linkSheets(styles);

export default function Run() {
  const { run, attempts, subject } = useLoaderData<typeof loader>();
  const answer = useActionData<{ refusal: { code?: RefusalCode } }>();
  const text = useText().jobs;
  return (
    <>
      <ParentLink href="/admin/jobs">{text.title}</ParentLink>
      <div className="page-head">
        <h1>{text.names[run.job_id]}</h1>
        <RunActions run={run} address={`/admin/jobs/runs/${run.run_id}`} />
      </div>
      <ZoneNote />
      <RefusalAlert code={answer?.refusal.code} />
      <RunDetails run={run} attempts={attempts} subject={subject} />
    </>
  );
}
