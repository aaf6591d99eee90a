import { useText } from "#app/i18n/text.ts";
import type { RunStatus } from "#domain/jobs/job-run.ts";

type ActionableRun = {
  run_id: string;
  status: RunStatus;
  dismissed_at: string | null;
  retried_by: string | null;
  can_retry: boolean;
};
type RunIntent = "retry" | "dismiss" | "restore" | "cancel";

function listIntents({ status, dismissed_at, retried_by, can_retry }: ActionableRun): RunIntent[] {
  if (status === "running" || status === "pending") return ["cancel"];
  if (status !== "failed" || retried_by) return [];
  return [...(can_retry ? (["retry"] as const) : []), dismissed_at ? "restore" : "dismiss"];
}

export function RunActions({ run, address }: { run: ActionableRun; address: string }) {
  const text = useText().jobs;
  const intents = listIntents(run);
  if (intents.length === 0) return null;
  return (
    <form className="actions" method="post" action={address}>
      <input type="hidden" name="run_id" value={run.run_id} />
      {intents.map((intent) => (
        <button
          key={intent}
          className={intent === "retry" ? "button button-small" : "button button-small button-quiet"}
          type="submit"
          name="intent"
          value={intent}
        >
          {text[intent]}
        </button>
      ))}
    </form>
  );
}
