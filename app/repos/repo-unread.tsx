import { useText } from "#app/i18n/text.ts";
import type { RepoFreshness } from "#app/repos/repo-status.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** Instead of files that were never copied: why, and what to do. */
export function RepoUnread({ repo }: { repo: RepoFreshness }) {
  const text = useText().repos;
  const failed = repo.state === "failed";
  const lead = repo.state === "unattended" ? text.unattendedLead : text.notYetLead;
  return (
    <EmptyState icon={failed ? "alert" : "clock"} title={failed ? text.noTree : text.notYet}>
      <p className="soft">{failed ? text.noTreeLead : lead}</p>
    </EmptyState>
  );
}
