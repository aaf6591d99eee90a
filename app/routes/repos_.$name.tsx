import { json, type LinksFunction, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { REFRESHED } from "#app/code-runs/requested-run.server.ts";
import { passRefreshHeader } from "#app/http/answers/page-headers.server.ts";
import { refusalResponse } from "#app/http/answers/replies.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { openRepo } from "#app/repos/repo-page.server.ts";
import { RepoTrail } from "#app/repos/repo-trail.tsx";
import { RepoTree } from "#app/repos/repo-tree.tsx";
import { RepoUnread } from "#app/repos/repo-unread.tsx";
import styles from "#app/styles/repos.css?url";
import { Alert } from "#app/ui/alert.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { listTree } from "#db/repos/repo-tree.server.ts";
import { isRefusal } from "#domain/refusal.ts";

/** One folder of a mirror: `?path=src/lib`. */
export async function loader(args: LoaderFunctionArgs) {
  const { repo, head, tally } = await openRepo(args);
  if (!repo.last_sync_time)
    return json({ repo: head, tree: null }, { headers: head.state === "failed" ? {} : REFRESHED });
  const path = new URL(args.request.url).searchParams.get("path") ?? "";
  const tree = await listTree(args.context.services.db, repo, path);
  if (isRefusal(tree)) throw refusalResponse(tree);
  const files = tree.files.map(({ blob: _, ...file }) => ({
    ...file,
    notes: tally.byPath.get(file.path) ?? 0,
  }));
  return json({ repo: head, tree: { ...tree, files } });
}

export const headers = passRefreshHeader;

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.repo.repo_name ?? text.repos.title,
  jsonTwin: "/api/repos/:name/tree",
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export default function Repo() {
  const { repo, tree } = useLoaderData<typeof loader>();
  const text = useText().repos;
  if (!tree)
    return (
      <>
        <RepoHead repo={repo} part="" />
        <RepoUnread repo={repo} />
      </>
    );
  const shown = tree.folders.length + tree.files.length;
  return (
    <>
      <RepoHead repo={repo} part="" />
      <RepoTrail name={repo.repo_name} path={tree.path} />
      {shown === 0 ? (
        <EmptyState icon="files" title={text.emptyTree}>
          <p className="soft">{text.emptyTreeLead}</p>
        </EmptyState>
      ) : (
        <RepoTree name={repo.repo_name} rows={tree} />
      )}
      {tree.truncated && <Alert caution>{text.tooMany(shown)}</Alert>}
    </>
  );
}
