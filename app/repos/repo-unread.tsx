import { useText } from "#app/i18n/text.ts";
import type { RepoFreshness } from "#app/repos/repo-status.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";

/** Replaces the list of files that were never copied: it shows the reason, and what to do if the page does not reload itself. */
export function RepoNotCopiedNotice({
  repo,
  refreshes = false,
}: {
  repo: RepoFreshness;
  refreshes?: boolean;
}) {
  const text = useText().repos;
  const hasFailed = repo.state === "failed";
  const wait = refreshes ? text.notYetRefreshes : text.notYetLead;
  const lead = repo.state === "unattended" ? text.unattendedLead : wait;
  return (
    <EmptyState icon={hasFailed ? "alert" : "clock"} title={hasFailed ? text.noTree : text.notYet}>
      <p className="soft">{hasFailed ? text.noTreeLead : lead}</p>
    </EmptyState>
  );
}
