import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { RunOutcome } from "#app/operators/run-outcome.tsx";
import { RunProgress } from "#app/operators/run-progress.tsx";
import { runLook, useRunStatus } from "#app/operators/run-status.tsx";
import { usePage } from "#app/page-context.ts";
import { Clock, Moment, Span, useTimeZone } from "#app/ui/moment.tsx";
import type { RunStatus, RunTrigger } from "#domain/jobs/job-run.ts";
import { daysAhead } from "#domain/reminders/reminder-time.ts";
import type { RunSubject } from "./run-subject.server.ts";

type Run = {
  run_id: string;
  status: RunStatus;
  trigger: RunTrigger;
  created_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  heartbeat_at: string | null;
  stuck_reported_at: string | null;
  cancel_requested_at: string | null;
  worker_id: string | null;
  progress: number;
  total_items: number | null;
  processed_items: number;
  payload: Record<string, unknown> | null;
  attempt: number;
  retried_by: string | null;
  dismissed_at: string | null;
  error_message: string | null;
  error_stack: string | null;
  failure_reason: string | null;
  result: Record<string, unknown> | null;
  logs: { at: string | null; line: string }[];
};

/** Everything that is known of a run: what came of it first, then why, then what it was given and when. */
export function RunDetails({ run, attempts, subject }: { run: Run; attempts: Run[]; subject: RunSubject }) {
  const text = useText().jobs;
  const status = useRunStatus(run);
  return (
    <>
      <div className={`card run-end run-end-${run.status}`}>
        <p>
          <span className={`status status-${runLook(run)}`}>{status}</span>
          {run.status === "running" && <RunProgress run={run} />}
        </p>
        <RunOutcome run={run} />
        {run.retried_by && (
          <p>
            <a href={`/admin/jobs/runs/${run.retried_by}`}>{text.retriedBy}</a>
          </p>
        )}
      </div>
      <LogSection run={run} />
      <ErrorSection run={run} />
      <Arguments payload={run.payload} subject={subject} />
      <Part title={text.timeline}>
        <Timeline run={run} />
      </Part>
      {attempts.length > 1 && (
        <Part title={text.attempts}>
          <Attempts attempts={attempts} here={run.run_id} />
        </Part>
      )}
      <Raw run={run} />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
      </div>
      {children}
    </section>
  );
}

/** The words of a thrown error. Of other failures the outcome says the reason in the reader's language. */
function ErrorSection({ run: { error_message, error_stack, failure_reason } }: { run: Run }) {
  const text = useText().jobs;
  const words = error_stack ?? (failure_reason === "exception" ? error_message : null);
  if (!words) return null;
  return (
    <Part title={text.error}>
      <pre className="run-lines" dir="ltr">
        {words}
      </pre>
    </Part>
  );
}

function LogSection({ run: { logs } }: { run: Run }) {
  const text = useText().jobs;
  return (
    <Part title={text.log}>
      {logs.length === 0 ? (
        <p className="soft">{text.noLines}</p>
      ) : (
        <ol className="run-log" dir="ltr">
          {logs.map(({ at, line }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key and never change places
            <li key={i}>
              {at && <LineTime at={at} />} {line}
            </li>
          ))}
        </ol>
      )}
    </Part>
  );
}

/** The time of day, with the day where it is not today. */
function LineTime({ at }: { at: string }) {
  const { now } = usePage();
  const isToday = daysAhead(new Date(at), useTimeZone(), new Date(now)) === 0;
  return <Clock at={at} kind={isToday ? "seconds" : "dated"} />;
}

/** Most jobs are given nothing. */
function Arguments({ payload, subject }: { payload: Run["payload"]; subject: RunSubject }) {
  const text = useText().jobs;
  const given = Object.entries(payload ?? {});
  if (payload && given.length === 0) return null;
  return (
    <Part title={text.arguments}>
      {payload ? (
        <dl className="run-table">
          {given.map(([name, value]) => (
            <div key={name}>
              <dt>{text.argumentNames[name] ?? name}</dt>
              <dd>
                <Argument name={name} value={value} subject={subject} />
              </dd>
            </div>
          ))}
          {subject.repo && subject.person && (
            <div>
              <dt>{text.owner}</dt>
              <dd>
                <NamedThing {...subject.person} />
              </dd>
            </div>
          )}
        </dl>
      ) : (
        <p className="soft">{text.unknownArguments}</p>
      )}
    </Part>
  );
}

function Argument({ name, value, subject }: { name: string; value: unknown; subject: RunSubject }) {
  if (name === "repo_id" && subject.repo) return <NamedThing {...subject.repo} />;
  if (name === "user_id" && subject.person) return <NamedThing {...subject.person} />;
  return <code dir="ltr">{typeof value === "string" ? value : JSON.stringify(value)}</code>;
}

function NamedThing({ name, href }: { name: string; href: string | null }) {
  return <bdi>{href ? <a href={href}>{name}</a> : name}</bdi>;
}

function Timeline({ run }: { run: Run }) {
  const text = useText().jobs;
  const moments = (
    [
      ["created", run.created_at],
      ["started", run.started_at],
      ["heartbeat", run.heartbeat_at],
      ["stuck", run.stuck_reported_at],
      ["cancelRequested", run.cancel_requested_at],
      ["ended", run.ended_at],
      ["dismissed", run.dismissed_at],
    ] as const
  ).flatMap(([name, at]) => (at ? [{ name, at }] : []));
  moments.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <dl className="run-table">
      {moments.map(({ name, at }) => (
        <div key={name}>
          <dt>{text.moments[name]}</dt>
          <dd>
            <Moment at={at} inSeconds={name === "heartbeat"} />{" "}
            <span className="soft">
              <Clock at={at} kind="milliseconds" />
            </span>
          </dd>
        </div>
      ))}
      {run.started_at && run.ended_at && run.started_at < run.ended_at && (
        <div>
          <dt>{text.took}</dt>
          <dd>
            <Span from={run.started_at} to={run.ended_at} />
          </dd>
        </div>
      )}
      <div>
        <dt>{text.trigger}</dt>
        <dd>{text.triggers[run.trigger]}</dd>
      </div>
    </dl>
  );
}

function Attempts({ attempts, here }: { attempts: Run[]; here: string }) {
  const text = useText().jobs;
  return (
    <ol className="rows">
      {attempts.map((run) => (
        <li key={run.run_id} className="run-row">
          <div className="run-words">
            <a
              className={`status status-${run.status}`}
              href={`/admin/jobs/runs/${run.run_id}`}
              aria-current={run.run_id === here ? "page" : undefined}
            >
              {text.attemptNumber(run.attempt)} · {text.statuses[run.status]}
            </a>
            <p className="run-facts soft">{run.created_at && <Moment at={run.created_at} />}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Raw values to copy into a ticket. */
function Raw({ run }: { run: Run }) {
  const text = useText().jobs;
  return (
    <details className="disclosure">
      <summary>{text.details}</summary>
      <pre className="run-lines" dir="ltr">
        {[
          `run_id ${run.run_id}`,
          `payload ${JSON.stringify(run.payload)}`,
          `worker ${run.worker_id ?? "–"}`,
          JSON.stringify(run.result),
        ].join("\n")}
      </pre>
    </details>
  );
}
