import type { ReactNode } from "react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { getClockFormat, Moment, useTimeZone } from "#app/web/ui/moment.tsx";
import type { RunStatus } from "#domain/jobs/job-run.ts";
import { isDueJob, isRoutine, isStartable, type JobId, takesPayload } from "#domain/jobs/jobs.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type Job = {
  job_id: JobId;
  name: string;
  enabled: boolean;
  paused: boolean;
  schedule: string | null;
  last_run: { run_id: string; status: RunStatus; created_at: string | null } | null;
  next_run_at: string | null;
};

type JobRowsProps = {
  jobs: readonly Job[];
  /** Jobs that this installation's configuration does not use. */
  unused: readonly JobId[];
};

/** Jobs that run every few minutes are folded while all of them are well. */
export function JobRows({ jobs, unused }: JobRowsProps) {
  const text = useText().jobs;
  const routine = jobs.filter(({ job_id }) => isRoutine(job_id));
  const isUnwell = routine.some(({ last_run, enabled }) => last_run?.status === "failed" || !enabled);
  return (
    <>
      <ul className="rows">
        {jobs.map(
          (job) =>
            isRoutine(job.job_id) || (
              <JobRow key={job.job_id} job={job} isUnused={unused.includes(job.job_id)} />
            ),
        )}
      </ul>
      <details className="disclosure routine above-2" open={isUnwell}>
        <summary>{text.routine(routine.length)}</summary>
        <ul className="rows above-2">
          {routine.map((job) => (
            <JobRow key={job.job_id} job={job} isUnused={false} />
          ))}
        </ul>
      </details>
    </>
  );
}

function JobRow({ job, isUnused }: { job: Job; isUnused: boolean }) {
  const text = useText().jobs;
  return (
    <li className="job-row grid top pad-3 gap-3 rows-2">
      <h3 className="whole-row">{job.name}</h3>
      <Fact name={text.schedule}>
        <Schedule schedule={job.schedule} />
      </Fact>
      {isUnused ? (
        <Fact name={text.status}>{text.notConfigured}</Fact>
      ) : (
        <>
          <Fact name={text.lastRun}>
            <LastRun run={job.last_run} />
          </Fact>
          <NextRun job={job} />
          <JobForm job={job} />
        </>
      )}
    </li>
  );
}

function LastRun({ run }: { run: Job["last_run"] }) {
  const text = useText().jobs;
  if (!run?.created_at) return text.never;
  return (
    <a className={`status status-${run.status} reach`} href={`/admin/jobs/runs/${run.run_id}`}>
      <span className="visually-hidden">{text.statuses[run.status]}</span>
      <Moment at={run.created_at} />
    </a>
  );
}

/** A paused job with a queue keeps its waiting runs; a scheduled job is disabled instead. */
function JobForm({ job: { job_id, enabled, paused } }: { job: Job }) {
  const text = useText().jobs;
  const isQueue = takesPayload(job_id) && !isDueJob(job_id);
  return (
    <form className="actions whole-row" method="post" action="/admin/jobs">
      <input type="hidden" name="job_id" value={job_id} />
      {isStartable(job_id) && enabled && !paused && <JobIntentButton value="run" name={text.runNow} />}
      {(isQueue || paused) && (
        <JobIntentButton
          value={paused ? "resume" : "pause"}
          name={paused ? text.resume : text.pause}
          quiet={!paused}
        />
      )}
      {(!isQueue || !enabled) && (
        <JobIntentButton
          value={enabled ? "disable" : "enable"}
          name={enabled ? text.disable : text.enable}
          quiet
        />
      )}
    </form>
  );
}

function JobIntentButton({ value, name, quiet = false }: { value: string; name: string; quiet?: boolean }) {
  const className = quiet ? "button button-small button-quiet" : "button button-small";
  return (
    <button className={className} type="submit" name="intent" value={value}>
      {name}
    </button>
  );
}

function Schedule({ schedule }: { schedule: string | null }) {
  const text = useText().jobs;
  const { locale, now } = usePage();
  const clock = getClockFormat(locale, useTimeZone(), "minutes");
  if (schedule === "when_due") return text.whenDue;
  if (!schedule) return text.onDemand;
  const writeTime = (hour: number, minute: number) => clock.format(new Date(now).setUTCHours(hour, minute));
  return <span title={schedule}>{describeSchedule(schedule, text, writeTime)}</span>;
}

/** Describes the schedules of jobs in the reader's time zone. Any other schedule is shown as written, in UTC. */
function describeSchedule(
  schedule: string,
  text: Dictionary["jobs"],
  writeTime: (hour: number, minute: number) => string,
): ReactNode {
  const [minute = "", hour = "", ...days] = schedule.split(" ");
  if (days.join(" ") === "* * *") {
    if (hour === "*" && minute === "*") return text.every(1);
    if (hour === "*" && minute.startsWith("*/")) return text.every(Number(minute.slice(2)));
    if (hour === "*" && /^\d+$/.test(minute)) return text.hourly(writeTime(0, Number(minute)).slice(-2));
    if (/^\d+ \d+$/.test(`${minute} ${hour}`)) return text.daily(writeTime(Number(hour), Number(minute)));
  }
  return <code dir="ltr">{schedule}</code>;
}

/** A job without a schedule has no next run; its schedule column says when it runs. */
function NextRun({ job: { enabled, paused, next_run_at: at } }: { job: Job }) {
  const text = useText().jobs;
  const { now } = usePage();
  if (!enabled) return <Fact name={text.status}>{text.disabled}</Fact>;
  if (paused) return <Fact name={text.status}>{text.paused}</Fact>;
  if (!at) return null;
  return (
    <Fact name={text.nextRun}>
      {Date.parse(at) - now < MINUTE_MS ? text.underMinute : <Moment at={at} />}
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl>
      <dt className="tiny soft">{name}</dt>
      <dd className="small">{children}</dd>
    </dl>
  );
}
