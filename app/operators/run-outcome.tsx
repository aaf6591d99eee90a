import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { translateStep } from "#domain/jobs/log-steps.ts";

type Result = Readonly<Record<string, unknown>>;
type Outcome = {
  result: Result | null;
  error_message: string | null;
  failure_reason: string | null;
  logs: readonly { line: string }[];
};

export function RunOutcome({ run }: { run: Outcome }) {
  const text = useText();
  const reason = run.failure_reason && describeReason(run.failure_reason, text);
  if (reason) return <p>{reason}</p>;
  if (run.error_message) return <ProgramText words={run.error_message} />;
  if (run.result) return <p>{describeResult(run.result, text)}</p>;
  const lastLine = run.logs.at(-1)?.line;
  return lastLine ? <ProgramText words={translateStep(lastLine, text.jobs.steps)} /> : null;
}

function ProgramText({ words }: { words: string }) {
  return (
    <p>
      <bdi>{words}</bdi>
    </p>
  );
}

function describeReason(reason: string, { jobs, repos }: Dictionary): string | undefined {
  const mirror: Partial<Record<string, string>> = repos.syncErrors;
  return jobs.reasons[reason] ?? mirror[reason];
}

/** Names the outcome, or why nothing was done, and the counts that are not zero. Values without a text are left to the details. */
export function describeResult(result: Result, { jobs: text, imports }: Dictionary): string {
  const damages: Partial<Record<string, string>> = imports.damages;
  const why = typeof result.why === "string" ? damages[result.why] : undefined;
  const outcomeKey = typeof result.outcome === "string" ? result.outcome : result.skipped;
  const outcome = typeof outcomeKey === "string" ? text.outcomes[outcomeKey] : undefined;
  const counts = Object.entries(result).flatMap(([name, value]) => {
    const writeCount = text.counts[name];
    return writeCount && typeof value === "number" && value > 0 ? [writeCount(value)] : [];
  });
  return [...(outcome ? [outcome] : []), ...(why ? [why] : []), ...counts].join(" · ") || text.nothingDone;
}
