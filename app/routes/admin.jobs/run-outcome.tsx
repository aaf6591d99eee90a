import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";

type Result = Readonly<Record<string, unknown>>;
type Outcome = {
  run_id: string;
  status: string;
  result: Result | null;
  error_message: string | null;
  failure_reason: string | null;
  logs: readonly { at: string | null; line: string }[];
};

/** What a run brought, in words; its id, its raw result and its log are one click away. */
export function RunOutcome({ run }: { run: Outcome }) {
  const text = useText().jobs;
  return (
    <>
      <OutcomeWords run={run} />
      <details className="disclosure">
        <summary>{run.logs.length > 0 ? text.logs(run.logs.length) : text.details}</summary>
        <pre dir="ltr">
          {[
            run.run_id,
            ...(run.result ? [JSON.stringify(run.result)] : []),
            ...run.logs.map(({ at, line }) => `${at} ${line}`),
          ].join("\n")}
        </pre>
      </details>
    </>
  );
}

function OutcomeWords({ run }: { run: Outcome }) {
  const text = useText().jobs;
  const reason = run.failure_reason && text.reasons[run.failure_reason];
  if (reason) return <p>{reason}</p>;
  if (run.error_message) return <bdi dir="auto">{run.error_message}</bdi>;
  return run.result ? <p>{describeResult(run.result, text)}</p> : null;
}

/** The outcome and the counts that are not zero. What has no words stays in the details. */
export function describeResult(result: Result, text: Dictionary["jobs"]): string {
  const outcome = typeof result.outcome === "string" ? text.outcomes[result.outcome] : undefined;
  const counts = Object.entries(result).flatMap(([name, value]) => {
    const words = text.counts[name];
    return words && typeof value === "number" && value > 0 ? [words(value)] : [];
  });
  return [...(outcome ? [outcome] : []), ...counts].join(" · ") || text.nothingDone;
}
