import { type ActionFunctionArgs, json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { done, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireAdmin } from "#app/http/session/gates.server.ts";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { jobsOnWire, runOnWire } from "#app/operators/job-wire.server.ts";
import { usePage } from "#app/page-context.ts";
import type { PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/admin.css?url";
import { Moment, Span } from "#app/ui/moment.tsx";
import { Table } from "#app/ui/table.tsx";
import { listRuns, requestCancel } from "#db/jobs/job-runs.server.ts";
import { setJobEnabled } from "#db/jobs/job-settings.server.ts";
import { triggerJob } from "#db/jobs/job-trigger.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { jobForm } from "./form.server.ts";
import { RunOutcome } from "./run-outcome.tsx";

const RUNS_SHOWN = 50;

export async function loader(args: LoaderFunctionArgs) {
  await requireAdmin(args);
  const { services } = args.context;
  const text = getDictionary(await args.context.locale());
  const [jobs, runs] = await Promise.all([
    jobsOnWire(services, (jobId) => text.jobs.names[jobId]),
    listRuns(services.db, { limit: RUNS_SHOWN }),
  ]);
  return json({ jobs, runs: runs.map(runOnWire) });
}

export async function action(args: ActionFunctionArgs) {
  await requireAdmin(args);
  const form = await readForm(args, jobForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  const { db, queue, clock } = args.context.services;
  if (form.intent === "cancel") {
    if (!(await requestCancel(db, form.run_id, clock())))
      return refused(args.request, Refusal("run_not_found", { run_id: form.run_id }), {});
    return done(args.request, { ok: true }, "/admin/jobs");
  }
  if (form.intent !== "run") {
    await setJobEnabled(db, form.job_id, form.intent === "enable");
    return done(args.request, { ok: true }, "/admin/jobs");
  }
  const run = await triggerJob(db, queue, form.job_id, "manual", clock());
  args.context.flash({ say: "job_queued", job_id: form.job_id });
  return done(args.request, { ok: true, run_id: run.run_id }, "/admin/jobs", 202);
}

export const handle: PageHandle = { title: (text) => text.jobs.title, jsonTwin: "/api/jobs" };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Jobs() {
  const { jobs, runs } = useLoaderData<typeof loader>();
  const text = useText().jobs;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <JobRows jobs={jobs} />
      <section className="section">
        <div className="section-head">
          <h2>{text.runs}</h2>
        </div>
        {runs.length > 0 ? <RunTable runs={runs} /> : <p className="soft">{text.noRuns}</p>}
      </section>
    </>
  );
}

function JobRows({ jobs }: { jobs: Loaded["jobs"] }) {
  const text = useText().jobs;
  return (
    <ul className="rows">
      {jobs.map((job) => (
        <li key={job.job_id} className="job-row">
          <h2>{job.name}</h2>
          <Fact name={text.schedule}>
            <Schedule schedule={job.schedule} />
          </Fact>
          <Fact name={text.lastRun}>
            {job.last_run?.created_at ? <Moment at={job.last_run.created_at} /> : text.never}
          </Fact>
          <NextRun job={job} />
          <form className="actions" method="post">
            <input type="hidden" name="job_id" value={job.job_id} />
            <button className="button button-small" type="submit" name="intent" value="run">
              {text.runNow}
            </button>
            <button
              className="button button-small button-quiet"
              type="submit"
              name="intent"
              value={job.enabled ? "disable" : "enable"}
            >
              {job.enabled ? text.disable : text.enable}
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}

function Schedule({ schedule }: { schedule: string | null }) {
  const text = useText().jobs;
  if (schedule === "when_due") return text.whenDue;
  return schedule ? <span title={schedule}>{describeSchedule(schedule, text)}</span> : text.onDemand;
}

/** The clocks that jobs have, in words; any other is shown as it is written. */
function describeSchedule(schedule: string, text: Dictionary["jobs"]): ReactNode {
  const [minute = "", hour = "", ...days] = schedule.split(" ");
  const at = minute.padStart(2, "0");
  if (days.join(" ") === "* * *") {
    if (hour === "*" && minute === "*") return text.every(1);
    if (hour === "*" && minute.startsWith("*/")) return text.every(Number(minute.slice(2)));
    if (hour === "*" && /^\d+$/.test(minute)) return text.hourly(at);
    if (/^\d+ \d+$/.test(`${minute} ${hour}`)) return text.daily(`${hour.padStart(2, "0")}:${at}`);
  }
  return <code dir="ltr">{schedule}</code>;
}

/** A job without a clock has no next run to tell: its schedule says when it runs. */
function NextRun({ job: { enabled, next_run_at: at } }: { job: Loaded["jobs"][number] }) {
  const text = useText().jobs;
  const { now } = usePage();
  if (!enabled) return <Fact name={text.status}>{text.disabled}</Fact>;
  if (!at) return null;
  return (
    <Fact name={text.nextRun}>
      {Date.parse(at) - now < MINUTE_MS ? text.underMinute : <Moment at={at} />}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}

function RunTable({ runs }: { runs: Loaded["runs"] }) {
  const text = useText().jobs;
  const headings = [text.job, text.status, text.trigger, text.started, text.took, text.result];
  return (
    <Table name={text.runs} headings={headings} stacked>
      {runs.map((run) => (
        <tr key={run.run_id}>
          <th className="run-name" scope="row">
            {text.names[run.job_id]}
          </th>
          <td data-label={text.status}>
            <span className={`status status-${run.status}`}>{text.statuses[run.status]}</span>
            {(run.status === "running" || run.status === "pending") && <AtWork run={run} />}
          </td>
          <td data-label={text.trigger}>{text.triggers[run.trigger]}</td>
          <td data-label={text.started}>{run.started_at && <Moment at={run.started_at} />}</td>
          <td data-label={text.took}>
            {run.started_at && run.ended_at && <Span from={run.started_at} to={run.ended_at} />}
          </td>
          <td className="wide" data-label={text.result}>
            <RunOutcome run={run} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** How far a run is, and the way to stop it. */
function AtWork({ run }: { run: Loaded["runs"][number] }) {
  const text = useText().jobs;
  return (
    <form className="at-work" method="post">
      {run.total_items !== null && (
        <progress value={run.processed_items} max={run.total_items} aria-label={text.progress} />
      )}
      <input type="hidden" name="run_id" value={run.run_id} />
      <button className="button button-small button-quiet" type="submit" name="intent" value="cancel">
        {text.cancel}
      </button>
    </form>
  );
}
