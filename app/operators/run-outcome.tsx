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

/** What became of a run, in words; of one that is at work, what it said last. */
export function RunOutcome({ run }: { run: Outcome }) {
  const text = useText();
  const reason = run.failure_reason && describeReason(run.failure_reason, text);
  if (reason) return <p>{reason}</p>;
  if (run.error_message) return <Said words={run.error_message} />;
  if (run.result) return <p>{describeResult(run.result, text)}</p>;
  const said = run.logs.at(-1)?.line;
  return said ? <Said words={translateStep(said, text.jobs.steps)} /> : null;
}

/** Words of a program, in their own direction, beginning where the page's lines begin. */
function Said({ words }: { words: string }) {
  return (
    <p>
      <bdi>{words}</bdi>
    </p>
  );
}

/** Why a run ended as it did, where there are words for it. */
function describeReason(reason: string, { jobs, repos }: Dictionary): string | undefined {
  const mirror: Partial<Record<string, string>> = repos.syncErrors;
  return jobs.reasons[reason] ?? mirror[reason];
}

/** The outcome, or why nothing was done, and the counts that are not zero. What has no words stays in the details. */
export function describeResult(result: Result, { jobs: text, imports }: Dictionary): string {
  const damages: Partial<Record<string, string>> = imports.damages;
  const why = typeof result.why === "string" ? damages[result.why] : undefined;
  const said = typeof result.outcome === "string" ? result.outcome : result.skipped;
  const outcome = typeof said === "string" ? text.outcomes[said] : undefined;
  const counts = Object.entries(result).flatMap(([name, value]) => {
    const words = text.counts[name];
    return words && typeof value === "number" && value > 0 ? [words(value)] : [];
  });
  return [...(outcome ? [outcome] : []), ...(why ? [why] : []), ...counts].join(" · ") || text.nothingDone;
}
