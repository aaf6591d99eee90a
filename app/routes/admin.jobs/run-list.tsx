import { amount } from "#app/i18n/amount.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { RunActions } from "#app/operators/run-actions.tsx";
import { RunOutcome } from "#app/operators/run-outcome.tsx";
import { RunProgress } from "#app/operators/run-progress.tsx";
import { runLook, useRunStatus } from "#app/operators/run-status.tsx";
import { DurationText, Moment } from "#app/web/ui/moment.tsx";
import type { RunStatus, RunTrigger } from "#domain/jobs/job-run.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { translateStep } from "#domain/jobs/log-steps.ts";
import { COUNTED_MAX, isChosenFrom, RUN_TABS, type RunTab, toRunTabAddress } from "./run-tabs.ts";

type Run = {
  run_id: string;
  job_id: JobId;
  status: RunStatus;
  trigger: RunTrigger;
  created_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  heartbeat_at: string | null;
  attempt: number;
  progress: number;
  total_items: number | null;
  processed_items: number;
  result: Record<string, unknown> | null;
  error_message: string | null;
  failure_reason: string | null;
  logs: { at: string | null; line: string }[];
  dismissed_at: string | null;
  retried_by: string | null;
  can_retry: boolean;
  repo: string | null;
};

type RunListProps = {
  tab: RunTab;
  job_id: JobId | null;
  isFirst: boolean;
  runs: Run[];
  next: string | null;
  counts: Record<RunTab, number>;
};

export function RunList({ tab, job_id, isFirst, runs, next, counts }: RunListProps) {
  const text = useText().jobs;
  const chosen = job_id ? { job_id } : {};
  // Most installations never dismiss a run.
  const tabs = RUN_TABS.filter((each) => each !== "dismissed" || each === tab || counts.dismissed > 0);
  return (
    <section className="section" id="runs" aria-label={text.runs}>
      <nav className="tabs flex gap-1 edge-below wraps" aria-label={text.runs}>
        {tabs.map((each) => (
          <a
            key={each}
            className={each === "failed" && counts.failed > 0 ? "wrong strong" : undefined}
            href={toRunTabAddress(each, chosen)}
            aria-current={each === tab ? "page" : undefined}
          >
            {`${text.tabs[each]} (${writeCount(counts[each])})`}
          </a>
        ))}
      </nav>
      <JobFilter tab={tab} job_id={job_id} />
      {runs.length === 0 ? (
        <p className="soft">{isFirst ? text.none[explainEmptyList(tab, counts)] : text.noRuns}</p>
      ) : isChosenFrom(tab) ? (
        <SelectableRuns tab={tab} runs={runs} />
      ) : (
        <ul className="rows">
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} />
          ))}
        </ul>
      )}
      {(next || !isFirst) && (
        <nav className="pager screen-only" aria-label={text.runs}>
          {!isFirst && (
            <a className="button" href={toRunTabAddress(tab, chosen)}>
              {text.newest}
            </a>
          )}
          {next && (
            <a className="button" href={toRunTabAddress(tab, { ...chosen, cursor: next })}>
              {text.older}
            </a>
          )}
        </nav>
      )}
    </section>
  );
}

/** Explains an empty list. A failed run that was retried is no longer listed as failed, but can fail again. */
function explainEmptyList(tab: RunTab, counts: Record<RunTab, number>) {
  if (tab !== "failed") return tab;
  if (counts.running + counts.waiting > 0) return "failedYet";
  return counts.dismissed > 0 ? "failedDismissed" : tab;
}

const writeCount = (count: number) => (count < COUNTED_MAX ? amount(count) : `${amount(COUNTED_MAX - 1)}+`);

function JobFilter({ tab, job_id }: { tab: RunTab; job_id: JobId | null }) {
  const text = useText().jobs;
  return (
    <form className="run-filter cluster around-3" method="get" action="/admin/jobs">
      <input type="hidden" name="tab" value={tab} />
      <label htmlFor="run-job">{text.job}</label>
      <select className="input auto-wide shrinks" id="run-job" name="job_id" defaultValue={job_id ?? ""}>
        <option value="">{text.allJobs}</option>
        {Object.entries(text.names).map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button className="button button-small" type="submit">
        {text.show}
      </button>
    </form>
  );
}

const CHOICE_FORM = "chosen-runs";

/** Several runs are selected by checkboxes, which belong to the form below the list, because each row has its own form. */
function SelectableRuns({ tab, runs }: { tab: RunTab; runs: Run[] }) {
  const text = useText().jobs;
  const small = "button button-small";
  return (
    <>
      <ul className="rows">
        {runs.map((run) => (
          <RunRow key={run.run_id} run={run} isChoice />
        ))}
      </ul>
      <form
        className="actions bar-foot above-3 pad-block-2"
        id={CHOICE_FORM}
        method="post"
        action="/admin/jobs"
      >
        {runs.map(({ run_id }) => (
          <input key={run_id} type="hidden" name="shown" value={run_id} />
        ))}
        {runs.length > 1 && (
          <label className="inline gap-2 reach fit">
            <input type="checkbox" name="all" value="1" />
            {text.allShown(runs.length)}
          </label>
        )}
        {runs.some(({ can_retry }) => can_retry) && (
          <button className={small} type="submit" name="intent" value="retry">
            {text.retryChosen}
          </button>
        )}
        {tab === "dismissed" ? (
          <button className={small} type="submit" name="intent" value="restore">
            {text.restoreChosen}
          </button>
        ) : (
          <button className={`${small} button-quiet`} type="submit" name="intent" value="dismiss">
            {text.dismissChosen}
          </button>
        )}
      </form>
    </>
  );
}

function RunRow({ run, isChoice = false }: { run: Run; isChoice?: boolean }) {
  const text = useText().jobs;
  const name = text.names[run.job_id];
  return (
    <li className="run-row flex wraps top gap-3 pad-3">
      {isChoice && (
        <label className="reach-wide middle reach">
          <input type="checkbox" name="run_id" value={run.run_id} form={CHOICE_FORM} />
          <span className="visually-hidden">
            {text.choose(run.repo ? `${name} ${isolateLtr(run.repo)}` : name)}
          </span>
        </label>
      )}
      <div className="grow-12 grid gap-1 shrinks">
        <a
          className={`status status-${runLook(run)} strong at-start reach`}
          href={`/admin/jobs/runs/${run.run_id}`}
        >
          <span>
            {name}
            {run.repo && " · "}
            {run.repo && <bdi dir="ltr">{run.repo}</bdi>}
          </span>
        </a>
        <div className="breaks">
          <RunOutcome run={run} />
          {run.status === "failed" && run.logs[0] && (
            <bdi className="soft" dir="auto">
              {translateStep(run.logs[0].line, text.steps)}
            </bdi>
          )}
        </div>
        <RunFacts run={run} />
      </div>
      <RunActions run={run} address="/admin/jobs" />
    </li>
  );
}

function RunFacts({ run }: { run: Run }) {
  const text = useText().jobs;
  const status = useRunStatus(run);
  const shownAt = run.ended_at ?? run.started_at ?? run.created_at;
  return (
    <p className="cluster small gap-3 rows-0 soft">
      {run.status !== "completed" && run.status !== "failed" && <span>{status}</span>}
      {shownAt && <Moment at={shownAt} />}
      {run.started_at && run.ended_at && <DurationText from={run.started_at} to={run.ended_at} />}
      <span>{text.triggers[run.trigger]}</span>
      {run.attempt > 1 && <span>{text.attemptNumber(run.attempt)}</span>}
      {run.status === "running" && <RunProgress run={run} />}
    </p>
  );
}
