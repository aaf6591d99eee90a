import { useText } from "#app/i18n/text.ts";
import { type CodeRunResult, stopReason } from "#domain/code-runs/code-run.ts";
import { toShownOutput } from "#domain/code-runs/run-output.ts";

type Ending = Pick<CodeRunResult, "success" | "exit_code">;

export function RunEnding({ run }: { run: Ending }) {
  const text = useText().tools;
  return (
    <span className={run.success ? "status status-completed" : "status status-failed"}>
      {run.success ? text.ranWell : text.ranBadly(run.exit_code)}
    </span>
  );
}

/** Of a stopped program the page names the limit it reached; its exit code was set by us. */
function StoppedEnding({ run }: { run: CodeRunResult }) {
  const { stopped } = useText().tools;
  const { timeout, memory_limit_mb } = run.limits_applied;
  const words = {
    timed_out: stopped.timed_out(timeout),
    out_of_memory: stopped.out_of_memory(memory_limit_mb),
    stopped: stopped.stopped,
    crashed: stopped.crashed,
  }[stopReason(run.exit_code)];
  return <span className="status status-failed">{words}</span>;
}

/** How a program ended, what it said, and what it took. */
export function RunResultView({ run }: { run: CodeRunResult }) {
  const text = useText().tools;
  const { memory_used_mb: usedMb, limits_applied: limits } = run;
  const spent = [
    text.took(run.execution_time_ms),
    ...(usedMb ? [text.memoryUsed(usedMb)] : []),
    text.granted(limits.timeout, limits.memory_limit_mb),
  ];
  return (
    <>
      <p>{run.error === null ? <RunEnding run={run} /> : <StoppedEnding run={run} />}</p>
      <Output name={text.stdout} output={run.stdout} />
      <Output name={text.stderr} output={run.stderr} />
      {run.stdout === "" && run.stderr === "" && <p className="soft">{text.noOutput}</p>}
      {run.truncated && <p className="soft">{text.truncated}</p>}
      <p className="soft">{spent.join(" · ")}</p>
    </>
  );
}

function Output({ name, output }: { name: string; output: string }) {
  if (output === "") return null;
  return (
    <>
      <h2>{name}</h2>
      <CodeText name={name} text={output} />
    </>
  );
}

export function CodeText({ name, text }: { name: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="tool-output" aria-label={name} tabIndex={0} dir="ltr">
      <pre>{toShownOutput(text)}</pre>
    </section>
  );
}

/** Said by `enhance/page-part.ts` while a program runs; without JavaScript the browser shows that it waits. */
export function RunWaiting() {
  const text = useText().tools;
  return (
    <p className="soft" role="status" data-run-waiting hidden>
      {text.running} {text.firstRun}
    </p>
  );
}
