import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { type RepoFreshness, RepoStatus, SyncForm } from "#app/repos/repo-status.tsx";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { type Fact, Facts } from "#app/web/ui/facts.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { repoPlace } from "#domain/repos/repo-place.ts";

type RepoRow = RepoFreshness & {
  url: string;
  files: number;
  bytes: number;
  notes: number;
  last_sync_time: string | null;
};

export function RepoRows({ repos }: { repos: readonly RepoRow[] }) {
  return (
    <ul className="rows">
      {repos.map((repo) => (
        <Row key={repo.repo_name} repo={repo} />
      ))}
    </ul>
  );
}

function Row({ repo }: { repo: RepoRow }) {
  const text = useText().repos;
  const { repo_name: name, last_sync_time, notes } = repo;
  const facts: Fact[] = [
    [text.lastSync, last_sync_time ? <Moment key="sync" at={last_sync_time} /> : text.never],
    [text.parts.files, amount(repo.files)],
    [text.size, <Bytes key="size" count={repo.bytes} />],
  ];
  if (notes > 0) facts.push([text.noted, amount(notes)]);
  return (
    <li className="repo-row grid pad-4">
      <div className="grid gap-1 shrinks">
        <h3>
          <a className="reach-line" href={repoPlace(name)}>
            <bdi dir="ltr">{name}</bdi>
          </a>
        </h3>
        <span className="tiny mono soft breaks at-start">
          <bdi dir="ltr">{repo.url}</bdi>
        </span>
        <RepoStatus repo={repo} />
        {repo.state === "empty" && <span className="soft">{text.emptyRemote}</span>}
      </div>
      <Facts facts={facts} />
      <div className="actions top">
        <SyncForm repo={repo} small />
        <UnmirrorForm repo={repo} />
      </div>
    </li>
  );
}

/** Removing a mirror takes a second press, beside a sentence that says what is kept. */
function UnmirrorForm({ repo: { repo_name, notes } }: { repo: RepoRow }) {
  const text = useText().repos;
  return (
    <details className="confirm">
      <summary className="button button-small">{text.unmirror}</summary>
      <form className="small grid items-start gap-2 reading-wide" method="post" action="/repos">
        <p>{text.unmirrorLead(notes)}</p>
        <input type="hidden" name="repo_name" value={repo_name} />
        <button className="button button-small button-wrong" type="submit" name="intent" value="unmirror">
          <Icon name="trash" />
          {text.unmirrorSure}
        </button>
      </form>
    </details>
  );
}

export function OrphanRepos({ repos }: { repos: readonly { repo_name: string; notes: number }[] }) {
  const text = useText().repos;
  return (
    <section className="section" aria-labelledby="orphan-repos">
      <h2 id="orphan-repos">{text.orphanRepos}</h2>
      <p className="soft below-3">{text.orphanReposLead}</p>
      <ul className="rows">
        {repos.map(({ repo_name, notes }) => (
          <li key={repo_name} className="file-row">
            <Icon name="note" />
            <a className="file-name mono" href={repoPlace(repo_name, "orphans")} dir="ltr">
              {repo_name}
            </a>
            <div className="file-facts">{text.notes(notes)}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
