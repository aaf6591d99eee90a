import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import { RepoTrail } from "#app/repos/repo-trail.tsx";
import styles from "#app/styles/repos/repos.css?url";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { listCommits } from "#db/repos/repo-tree.server.ts";
import { baseName } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const SHOWN = 100;
const SHORT = 10;

/** The commits that changed a file, as far as the mirror has them: `?path=src/main.py`. */
export async function loader(args: LoaderFunctionArgs) {
  const { repo, head } = await requireRepo(args);
  const path = new URL(args.request.url).searchParams.get("path") ?? "";
  const query = path === "" ? { limit: SHOWN } : { path, limit: SHOWN };
  const commits = await listCommits(args.context.services.db, repo, query);
  return json({
    repo: head,
    path,
    commits: commits.map(({ commit, author, at, subject }) => ({
      commit: commit.slice(0, SHORT),
      author,
      at: toTimestamp(at),
      subject,
    })),
  });
}

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) =>
    data
      ? text.repos.historyTitle(data.path ? baseName(data.path) : data.repo.repo_name)
      : text.repos.history,
  jsonTwin: "/api/repos/:name/history",
};

export const links = linkSheets(styles);

export default function RepoHistory() {
  const { repo, path, commits } = useLoaderData<typeof loader>();
  const text = useText().repos;
  return (
    <>
      <RepoHead repo={repo} part="" />
      <RepoTrail name={repo.repo_name} path={path} />
      <div className="section-head">
        <h2>{text.historyTitle(path ? baseName(path) : repo.repo_name)}</h2>
        {path && <a href={repoPlace(repo.repo_name, "file", { path })}>{text.back}</a>}
      </div>
      <p className="soft below-3">{text.historyLead}</p>
      {commits.length === 0 ? (
        <EmptyState icon="clock" title={text.historyNone}>
          <p className="soft">{text.historyLead}</p>
        </EmptyState>
      ) : (
        <Table name={text.history} headings={[text.what, text.author, text.when, text.commit]} stacked>
          {commits.map(({ commit, author, at, subject }) => (
            <tr key={commit}>
              <th className="wide" scope="row" dir="auto">
                {subject}
              </th>
              <td data-label={text.author}>
                <bdi>{author}</bdi>
              </td>
              <td data-label={text.when}>
                <Moment at={at} />
              </td>
              <td data-label={text.commit}>
                <code dir="ltr">{commit}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
