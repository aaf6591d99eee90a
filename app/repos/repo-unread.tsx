import { useText } from "#app/i18n/text.ts";
import type { RepoFreshness } from "#app/repos/repo-status.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** Instead of files that were never copied: why, and what to do where the page does not load itself again. */
export function RepoUnread({ repo, refreshes = false }: { repo: RepoFreshness; refreshes?: boolean }) {
  const text = useText().repos;
  const failed = repo.state === "failed";
  const wait = refreshes ? text.notYetRefreshes : text.notYetLead;
  const lead = repo.state === "unattended" ? text.unattendedLead : wait;
  return (
    <EmptyState icon={failed ? "alert" : "clock"} title={failed ? text.noTree : text.notYet}>
      <p className="soft">{failed ? text.noTreeLead : lead}</p>
    </EmptyState>
  );
}
