import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { CodeRunResult } from "#domain/code-runs/code-run.ts";

type Ending = Pick<CodeRunResult, "success" | "exit_code">;

export function RunEnding({ run }: { run: Ending }) {
  const text = useText().tools;
  return (
    <span className={run.success ? "status status-completed" : "status status-failed"}>
      {run.success ? text.ranWell : text.ranBadly(run.exit_code)}
    </span>
  );
}

/** How a program ended, what it said, and what it took. */
export function RunResultView({ run }: { run: CodeRunResult }) {
  const text = useText().tools;
  const { memory_used_mb: usedMb } = run;
  return (
    <>
      <p>
        <RunEnding run={run} />
      </p>
      {run.error && <Alert>{run.error}</Alert>}
      <Output name={text.stdout} output={run.stdout} />
      <Output name={text.stderr} output={run.stderr} />
      {run.truncated && <p className="soft">{text.truncated}</p>}
      <p className="soft">
        {text.took(run.execution_time_ms)} {usedMb !== null && `${text.memoryUsed(usedMb)} `}
        {text.granted(run.limits_applied.timeout, run.limits_applied.memory_limit_mb)}
      </p>
    </>
  );
}

function Output({ name, output }: { name: string; output: string }) {
  const text = useText().tools;
  return (
    <>
      <h2>{name}</h2>
      {output === "" ? <p className="soft">{text.noOutput}</p> : <CodeText name={name} text={output} />}
    </>
  );
}

export function CodeText({ name, text }: { name: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="tool-output" aria-label={name} tabIndex={0} dir="ltr">
      <pre>{text}</pre>
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
