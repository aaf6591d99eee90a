import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { type RepoFreshness, RepoStatus, SyncForm } from "#app/repos/repo-status.tsx";
import { Alert } from "#app/web/ui/alert.tsx";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { type RepoPart, repoPlace } from "#domain/repos/repo-place.ts";

export type HeadRepo = RepoFreshness & {
  url: string;
  has_token: boolean;
  last_sync_time: string | null;
  orphans: number;
};

const PARTS = [
  ["", "files"],
  ["search", "search"],
  ["orphans", "orphans"],
  ["import", "import"],
  ["analysis", "analysis"],
] as const satisfies readonly (readonly [RepoPart, string])[];

type HeadProps = { repo: HeadRepo; part: (typeof PARTS)[number][0] };

export function RepoHead({ repo, part }: HeadProps) {
  const text = useText().repos;
  const { repo_name: name, last_sync_time, orphans } = repo;
  return (
    <header className="stack gap-2 below-4">
      <ParentLink href="/repos">{text.title}</ParentLink>
      <div className="page-head flush">
        <h1 className="mono shrinks">
          <bdi dir="ltr">{name}</bdi>
        </h1>
        <SyncForm repo={repo} />
      </div>
      <ul className="cluster small soft gap-4 rows-1">
        <li className="inline gap-2">
          <RepoStatus repo={repo} />
        </li>
        <li className="inline gap-2">
          <bdi className="tiny mono soft breaks at-start" dir="ltr">
            {repo.url}
          </bdi>
        </li>
        <li className="inline gap-2">
          <span>
            {text.lastSync}: {last_sync_time ? <Moment at={last_sync_time} /> : text.never}
          </span>
        </li>
      </ul>
      {repo.state === "failed" && last_sync_time && <Alert caution>{text.stale}</Alert>}
      <nav className="repo-tabs flex wraps edge-below gap-1 rows-0" aria-label={text.sections}>
        {PARTS.map(([path, key]) => (
          <a key={path} href={repoPlace(name, path)} aria-current={path === part ? "page" : undefined}>
            {text.parts[key]}
            {key === "orphans" && orphans > 0 && (
              <span className="word-mark caution-ground tiny numbers caution pad-inline-2 pill">
                {amount(orphans)}
              </span>
            )}
          </a>
        ))}
      </nav>
    </header>
  );
}
