import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import type { RepoState, SyncError } from "#domain/repos/repo.ts";

/** `unattended`: a requested sync waits because no worker is alive, or its worker died. `empty`: the copy is up to date and has no files. */
export type ShownState = RepoState | "unattended" | "empty";

export type RepoFreshness = {
  repo_name: string;
  state: ShownState;
  /** In percent, while it is syncing. */
  progress: number | null;
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

export function SyncForm({ repo, small = false }: { repo: RepoFreshness; small?: boolean }) {
  const text = useText().repos;
  const { pathname, search } = useLocation();
  const currentAddress = pathname + search;
  const className = small ? "button button-small" : "button";
  if (COMING.includes(repo.state))
    return (
      <a className={className} href={currentAddress}>
        <Icon name="sync" />
        {text.reload}
      </a>
    );
  return (
    <form method="post" action="/repos">
      <input type="hidden" name="repo_name" value={repo.repo_name} />
      <input type="hidden" name="next" value={currentAddress} />
      <button className={className} type="submit" name="intent" value="sync">
        <Icon name="sync" />
        {text.sync}
      </button>
    </form>
  );
}
