import { useText } from "#app/i18n/text.ts";
import {
  type CodeRunResult,
  lacksInput,
  listMissedFiles,
  stopReason,
  toRunStatus,
} from "#domain/code-runs/code-run.ts";
import { type PlacedProgram, splitAtPlaces } from "#domain/code-runs/error-places.ts";
import { toShownOutput } from "#domain/code-runs/run-output.ts";

type EndedRun = Pick<CodeRunResult, "success" | "exit_code" | "error" | "limits_applied">;

export function RunEnding({ run }: { run: EndedRun }) {
  const text = useText().tools;
  if (run.error !== null) return <StoppedEnding run={run} />;
  return (
    <span className={`status status-${toRunStatus(run)}`}>
      {run.success ? text.ranWell : text.ranBadly(run.exit_code)}
    </span>
  );
}

/** For a stopped program, names the limit it reached, because we set its exit code. */
function StoppedEnding({ run }: { run: EndedRun }) {
  const { stopped } = useText().tools;
  const { timeout, memory_limit_mb } = run.limits_applied;
  const explanation = {
    timed_out: stopped.timed_out(timeout),
    out_of_memory: stopped.out_of_memory(memory_limit_mb),
    stopped: stopped.stopped,
    crashed: stopped.crashed,
  }[stopReason(run.exit_code)];
  return <span className={`status status-${toRunStatus(run)}`}>{explanation}</span>;
}

/** `program`: the page's editor or file that line numbers link to; `folder`: the folder of the program. */
type ResultProps = { run: CodeRunResult; program?: PlacedProgram; folder?: string };

export function RunResultView({ run, program, folder = "" }: ResultProps) {
  const {
    tools: text,
    runs: { dock },
  } = useText();
  const { memory_used_mb: usedMb, limits_applied: limits } = run;
  const spent = [
    // A run that was cancelled before its program started took no time.
    ...(run.execution_time_ms > 0 ? [text.took(run.execution_time_ms)] : []),
    ...(usedMb ? [text.memoryUsed(usedMb)] : []),
    text.granted(limits.timeout, limits.memory_limit_mb),
  ];
  return (
    <>
      <p>
        <RunEnding run={run} />
      </p>
      <Output name={text.stdout} output={run.stdout} />
      <Output name={text.stderr} output={run.stderr} program={program} />
      {lacksInput(run) && <p>{dock.words.needsInput}</p>}
      {run.stdout === "" && run.stderr === "" && <p className="soft">{text.noOutput}</p>}
      {run.truncated && <p className="soft">{text.truncated}</p>}
      <RunFiles run={run} folder={folder} />
      <p className="soft">{spent.join(" · ")}</p>
    </>
  );
}

function RunFiles({ run, folder }: { run: CodeRunResult; folder: string }) {
  const { files_written = [] } = run;
  const missedFiles = listMissedFiles(run);
  const { words } = useText().runs.dock;
  return (
    <>
      {missedFiles.length > 0 && (
        <p className="soft">{words.leftOut.replace("{names}", missedFiles.join(", "))}</p>
      )}
      {files_written.map(({ path, size_bytes, text }) => (
        <form
          key={path}
          className="cluster gap-3"
          method="post"
          action="/upload"
          encType="multipart/form-data"
        >
          <span>
            {words.wrote.replace("{bytes}", String(size_bytes))} <code dir="ltr">{path}</code>
          </span>
          {text === null ? (
            <span className="soft">{words.tooLarge}</span>
          ) : (
            <>
              <input type="hidden" name="file_name" value={path.slice(path.lastIndexOf("/") + 1)} />
              <input type="hidden" name="folder" value={folder} />
              <textarea name="text" defaultValue={text} hidden readOnly />
              <button className="button button-small" type="submit">
                {words.save}
              </button>
            </>
          )}
        </form>
      ))}
    </>
  );
}

function Output({ name, output, program }: { name: string; output: string; program?: PlacedProgram }) {
  if (output === "") return null;
  return (
    <>
      <h2 className="plain-size">{name}</h2>
      <CodeText name={name} text={output} program={program} className="run-output" />
    </>
  );
}

type CodeTextProps = { name: string; text: string; program?: PlacedProgram; className?: string };
const NO_PROGRAM: PlacedProgram = { name: "", fileId: null };

export function CodeText({ name, text, program = NO_PROGRAM, className = "" }: CodeTextProps) {
  const pieces = splitAtPlaces(toShownOutput(text), program);
  return (
    <section
      className={`tool-output from-start pad-3 round sunk ${className}`}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      dir="ltr"
    >
      <pre>
        {pieces.map(({ start, text, address }) =>
          address === null ? (
            text
          ) : (
            <a key={start} href={address}>
              {text}
            </a>
          ),
        )}
      </pre>
    </section>
  );
}
