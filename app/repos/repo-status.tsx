import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { RepoState, SyncError } from "#domain/repos/repo.ts";

/** A requested sync waits unattended where no worker is alive, or where its worker died. What is up to date may be empty. */
export type ShownState = RepoState | "unattended" | "empty";

export type RepoFreshness = {
  repo_name: string;
  state: ShownState;
  /** Of a hundred, while it is syncing. */
  progress: number | null;
  /** Why the last sync failed. */
  error: SyncError | null;
};

const MOODS: Record<ShownState, string> = {
  waiting: "pending",
  syncing: "running",
  ready: "completed",
  failed: "failed",
  unattended: "pending",
  empty: "pending",
};

const COMING: readonly ShownState[] = ["waiting", "syncing", "unattended"];

export function RepoStatus({ repo: { state, progress, error } }: { repo: RepoFreshness }) {
  const text = useText().repos;
  return (
    <span className="repo-status small inline wraps gap-3 rows-1">
      <span className={`status status-${MOODS[state]}`}>{text.states[state]}</span>
      {state === "syncing" && progress !== null && (
        <progress max={100} value={progress} aria-label={text.states.syncing} />
      )}
      {state === "failed" && error && <span className="soft">{text.syncErrors[error]}</span>}
    </span>
  );
}

/** While a sync is under way, the way to see how far it is. */
export function SyncForm({ repo, small = false }: { repo: RepoFreshness; small?: boolean }) {
  const text = useText().repos;
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const look = small ? "button button-small" : "button";
  if (COMING.includes(repo.state))
    return (
      <a className={look} href={here}>
        <Icon name="sync" />
        {text.reload}
      </a>
    );
  return (
    <form method="post" action="/repos">
      <input type="hidden" name="repo_name" value={repo.repo_name} />
      <input type="hidden" name="next" value={here} />
      <button className={look} type="submit" name="intent" value="sync">
        <Icon name="sync" />
        {text.sync}
      </button>
    </form>
  );
}
