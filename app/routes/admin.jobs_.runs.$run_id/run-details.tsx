import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { RunOutcome } from "#app/operators/run-outcome.tsx";
import { RunProgress } from "#app/operators/run-progress.tsx";
import { runLook, useRunStatus } from "#app/operators/run-status.tsx";
import { usePage } from "#app/page-context.ts";
import { ClockTime, DurationText, Moment, useTimeZone } from "#app/web/ui/moment.tsx";
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

export function RunDetails({ run, attempts, subject }: { run: Run; attempts: Run[]; subject: RunSubject }) {
  const text = useText().jobs;
  const status = useRunStatus(run);
  return (
    <>
      <div className={`card breaks gap-2 pad-4${run.status === "failed" ? " wrong-ground" : ""}`}>
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
      <RawRunData run={run} />
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

/** The message of a thrown error. For other failures the outcome names the reason in the reader's language. */
function ErrorSection({ run: { error_message, error_stack, failure_reason } }: { run: Run }) {
  const text = useText().jobs;
  const errorText = error_stack ?? (failure_reason === "exception" ? error_message : null);
  if (!errorText) return null;
  return (
    <Part title={text.error}>
      <pre className="small mono breaks keeps-lines pad-3 round sunk" dir="ltr">
        {errorText}
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
        <ol className="small mono breaks keeps-lines pad-3 round sunk" dir="ltr">
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

function LineTime({ at }: { at: string }) {
  const { now } = usePage();
  const isToday = daysAhead(new Date(at), useTimeZone(), new Date(now)) === 0;
  return <ClockTime at={at} kind={isToday ? "seconds" : "dated"} />;
}

/** Lists the arguments of a run, or nothing for jobs without arguments. */
function Arguments({ payload, subject }: { payload: Run["payload"]; subject: RunSubject }) {
  const text = useText().jobs;
  const entries = Object.entries(payload ?? {});
  if (payload && entries.length === 0) return null;
  return (
    <Part title={text.arguments}>
      {payload ? (
        <dl className="run-table grid gap-1">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt className="soft">{text.argumentNames[name] ?? name}</dt>
              <dd className="breaks">
                <Argument name={name} value={value} subject={subject} />
              </dd>
            </div>
          ))}
          {subject.repo && subject.person && (
            <div>
              <dt className="soft">{text.owner}</dt>
              <dd className="breaks">
                <SubjectLink {...subject.person} />
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
  if (name === "repo_id" && subject.repo) return <SubjectLink {...subject.repo} />;
  if (name === "user_id" && subject.person) return <SubjectLink {...subject.person} />;
  return <code dir="ltr">{typeof value === "string" ? value : JSON.stringify(value)}</code>;
}

function SubjectLink({ name, href }: { name: string; href: string | null }) {
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
    <dl className="run-table grid gap-1">
      {moments.map(({ name, at }) => (
        <div key={name}>
          <dt className="soft">{text.moments[name]}</dt>
          <dd className="breaks">
            <Moment at={at} inSeconds={name === "heartbeat"} />{" "}
            <span className="soft">
              <ClockTime at={at} kind="milliseconds" />
            </span>
          </dd>
        </div>
      ))}
      {run.started_at && run.ended_at && run.started_at < run.ended_at && (
        <div>
          <dt className="soft">{text.took}</dt>
          <dd className="breaks">
            <DurationText from={run.started_at} to={run.ended_at} />
          </dd>
        </div>
      )}
      <div>
        <dt className="soft">{text.trigger}</dt>
        <dd className="breaks">{text.triggers[run.trigger]}</dd>
      </div>
    </dl>
  );
}

function Attempts({ attempts, here }: { attempts: Run[]; here: string }) {
  const text = useText().jobs;
  return (
    <ol className="rows">
      {attempts.map((run) => (
        <li key={run.run_id} className="run-row flex wraps top gap-3 pad-3">
          <div className="grow-12 grid gap-1 shrinks">
            <a
              className={`status status-${run.status} strong at-start reach`}
              href={`/admin/jobs/runs/${run.run_id}`}
              aria-current={run.run_id === here ? "page" : undefined}
            >
              {text.attemptNumber(run.attempt)} · {text.statuses[run.status]}
            </a>
            <p className="cluster small gap-3 rows-0 soft">
              {run.created_at && <Moment at={run.created_at} />}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function RawRunData({ run }: { run: Run }) {
  const text = useText().jobs;
  return (
    <details className="disclosure">
      <summary>{text.details}</summary>
      <pre className="small mono breaks keeps-lines pad-3 round sunk" dir="ltr">
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
