import type { SerializeFrom } from "@remix-run/node";
import { RunInput } from "#app/code-runs/run-dock.tsx";
import { CodeText, RunEnding, RunResultView } from "#app/code-runs/run-result.tsx";
import { useText } from "#app/i18n/text.ts";
import toolStyles from "#app/styles/viewers/tools.css?url";
import { atVersion, type OldVersionNumber, RUNNING_PAGE } from "#app/viewers/views.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { ClockTime, Moment } from "#app/web/ui/moment.tsx";
import { CODE_LIMITS } from "#domain/code-runs/code-run.ts";
import { RUN_RESULT_DAYS, RUN_RESULTS_PER_FILE } from "#domain/code-runs/run-result.ts";
import type { RefusalBody } from "#domain/refusal.ts";
import type { FileRunsOffer, Ran } from "./run-form.server.ts";

export type Offer = SerializeFrom<FileRunsOffer>;
type RunnableFile = {
  id: string;
  file_name: string;
  folder_id: string | null;
  version: number;
  language: string;
};
/** The result of an unsaved run, or why it was refused. */
export type RunAnswer = { ran?: Ran; refusal?: RefusalBody; typed: TypedRun | null };
type TypedRun = { timeout: string; stdin: string; args: string; keep?: "1" };
type RunsProps = { file: RunnableFile; old: OldVersionNumber; runs: Offer; answer: RunAnswer | undefined };

const RUN_FORM = "run-form";

export function RunButton() {
  const text = useText().tools;
  return (
    <button className="button" type="submit" form={RUN_FORM} name="intent" value="run">
      <Icon name="play" />
      {text.run}
    </button>
  );
}

/** Replaces the button if the file is too large to run. Links to the reason. */
export function RunUnavailableLink({ id, old }: { id: string; old: OldVersionNumber }) {
  const { tools, runs } = useText();
  return (
    <a
      className="button soft"
      href={`${atVersion(`/file/${id}?run=last`, old)}#runs`}
      title={runs.barred.too_large}
    >
      <Icon name="play" />
      {tools.run}
    </a>
  );
}

/** A page of HTML runs in the reader's browser. */
export function RunPageLink({ id, old }: { id: string; old: OldVersionNumber }) {
  const text = useText().tools;
  return (
    <a className="button" href={atVersion(RUNNING_PAGE(id), old)}>
      <Icon name="play" />
      {text.run}
    </a>
  );
}

/** Running a file and the results of its last runs; closed until one is requested. */
export function FileRuns({ file, old, runs, answer }: RunsProps) {
  const { runs: text, file: words } = useText();
  const { results, barred, underWay } = runs;
  const [last] = results;
  const isOpen = runs.open || answer !== undefined || underWay !== null;
  return (
    <details className="runs" name="file-panel" id="runs" open={isOpen} data-runs>
      <summary>
        {text.title}
        {last && !underWay && (
          <span className="runs-last">
            <RunEnding run={last} /> <Moment at={last.created_at} />
            {last.version !== file.version && ` · ${words.version(last.version)}`}
          </span>
        )}
      </summary>
      <div className="stack around-3">
        {barred ? (
          <p className="soft">{text.barred[barred]}</p>
        ) : (
          <RunFields file={file} old={old} runs={runs} typed={answer?.typed} />
        )}
        {/* Beside the results, which are replaced without their styles. */}
        {(underWay || runs.chosen || answer?.ran) && <link rel="stylesheet" href={toolStyles} />}
        <div className="stack" data-runs-results>
          {underWay && <RunUnderWayElsewhere file={file} old={old} run={underWay} />}
          <ShownResult file={file} runs={runs} answer={answer} />
          <KeptResults file={file} old={old} runs={runs} />
          {(!barred || results.length > 0) && <RunKeeping file={file} old={old} runs={runs} />}
        </div>
      </div>
    </details>
  );
}

type PartProps = Omit<RunsProps, "answer">;

function RunFields({ file, old, runs, typed }: PartProps & { typed: TypedRun | null | undefined }) {
  const { tools, runs: text } = useText();
  return (
    <form
      className="actions run-form"
      id={RUN_FORM}
      method="post"
      action={atVersion(`/file/${file.id}`, old)}
      data-run-form={file.id}
      data-language={file.language}
    >
      <input type="hidden" name="version" value={file.version} />
      <button className="button button-primary" type="submit" name="intent" value="run">
        <Icon name="play" />
        {text.runVersion(file.version)}
      </button>
      <label className="inline gap-2">
        {tools.timeout}
        <input
          className="input input-small input-number"
          name="timeout"
          type="number"
          min={1}
          max={CODE_LIMITS.max_timeout_seconds}
          defaultValue={typed?.timeout ?? CODE_LIMITS.default_timeout_seconds}
        />
      </label>
      <label className="inline gap-2">
        <input
          type="checkbox"
          name="keep"
          value="1"
          defaultChecked={typed ? typed.keep === "1" : runs.keep}
        />
        {text.keep}
      </label>
      <RunInput form={RUN_FORM} stdin={typed?.stdin} args={typed?.args} />
    </form>
  );
}

type UnderWayProps = Pick<RunsProps, "file" | "old"> & { run: NonNullable<Offer["underWay"]> };

/** A run that another page started. With JavaScript its output continues to appear (`enhance/editor/file-runs.ts`). */
function RunUnderWayElsewhere({ file, old, run }: UnderWayProps) {
  const { runs: text, tools } = useText();
  const { waiting, running } = text.dock.words;
  const output = run.output.map(({ text }) => text).join("");
  return (
    <section className="card tool-result packed shrinks" aria-label={text.underWay} data-run-under-way>
      <p className="cluster">
        <span className="status status-running">{run.isWaiting ? waiting : running}</span>
        <a href={`${atVersion(`/file/${file.id}?run=last`, old)}#runs`}>{text.refresh}</a>
      </p>
      {output !== "" && <CodeText name={tools.stdout} text={output} className="run-output" />}
    </section>
  );
}

type ShownProps = { file: RunnableFile; runs: Offer; answer: RunAnswer | undefined };

function ShownResult({ file, runs: { chosen }, answer }: ShownProps) {
  const { runs: text, file: words, tools, refusals } = useText();
  const { ran, refusal } = answer ?? {};
  const shownRun = ran
    ? { run: ran.run, version: ran.version }
    : chosen && { run: chosen, version: chosen.version };
  if (refusal)
    return (
      <Alert>
        {refusal.code === "payload_too_large" ? tools.tooLarge(Number(refusal.max)) : refusals[refusal.code]}
      </Alert>
    );
  if (!shownRun) return null;
  return (
    <section className="card tool-result packed shrinks" aria-label={tools.result} data-run-result>
      <RunResultView
        run={shownRun.run}
        program={{ name: file.file_name, fileId: file.id }}
        folder={file.folder_id ?? ""}
      />
      <p className="soft">
        {words.version(shownRun.version)}
        {" · "}
        {ran ? (ran.full ? text.unkeptFull : text.unkept) : chosen && <Moment at={chosen.created_at} />}
      </p>
    </section>
  );
}

function KeptResults({ file, old, runs: { results, chosen } }: PartProps) {
  const { runs: text, file: words, tools } = useText();
  // If the only result is already shown above, the list is left out.
  if (results.length === 0 || (results.length === 1 && chosen)) return null;
  return (
    <ol className="runs-kept" aria-label={text.kept}>
      {results.map((run) => (
        <li className="cluster reach gap-4 rows-0" key={run.id}>
          <a
            className={run.id === chosen?.id ? "strong pad-block-1" : "pad-block-1"}
            href={`${atVersion(`/file/${file.id}?run=${run.id}`, old)}#runs`}
            aria-current={run.id === chosen?.id ? "true" : undefined}
          >
            {text.ranAt} <ClockTime at={run.created_at} kind="dated" />
          </a>
          <RunEnding run={run} />
          <span className="soft">{words.version(run.version)}</span>
          {run.execution_time_ms > 0 && <span className="soft">{tools.took(run.execution_time_ms)}</span>}
        </li>
      ))}
    </ol>
  );
}

function RunKeeping({ file, old, runs: { results, keep } }: PartProps) {
  const text = useText().runs;
  const currentAddress = atVersion(`/file/${file.id}`, old);
  return (
    <div className="cluster gap-3 rows-2">
      <p className="soft">{keep ? text.keeping(RUN_RESULT_DAYS, RUN_RESULTS_PER_FILE) : text.keepingNot}</p>
      {results.length > 0 && (
        <form method="post" action={currentAddress}>
          <button className="button button-small" type="submit" name="intent" value="forget">
            <Icon name="trash" />
            {text.forget}
          </button>
        </form>
      )}
      <form method="post" action="/preferences">
        <input type="hidden" name="next" value={`${atVersion(`/file/${file.id}?run=last`, old)}#runs`} />
        <button className="button button-small" type="submit" name="keep_runs" value={keep ? "off" : "on"}>
          {keep ? text.stopKeeping : text.keepAgain}
        </button>
      </form>
    </div>
  );
}
