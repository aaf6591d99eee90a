import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { REFRESHED } from "#app/code-runs/requested-run.server.ts";
import { FolderPager } from "#app/files/folders/folder-list.tsx";
import { cutFolderPage } from "#app/files/folders/folder-pages.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import { RepoTrail } from "#app/repos/repo-trail.tsx";
import { RepoTree } from "#app/repos/repo-tree.tsx";
import { RepoNotCopiedNotice } from "#app/repos/repo-unread.tsx";
import { changeRepoUrl } from "#app/repos/repo-url.server.ts";
import styles from "#app/styles/repos/repos.css?url";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { listTree } from "#db/repos/repo-tree.server.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { repoUrlForm } from "./form.server.ts";
import { RepoUrlForm } from "./repo-url-form.tsx";

/** One folder of a mirror: `?path=src/lib`. */
export async function loader(args: LoaderFunctionArgs) {
  const { repo, head, tally } = await requireRepo(args);
  if (!repo.last_sync_time)
    return json({ repo: head, tree: null }, { headers: head.state === "failed" ? {} : REFRESHED });
  const url = new URL(args.request.url);
  const tree = await listTree(args.context.services.db, repo, url.searchParams.get("path") ?? "");
  if (isRefusal(tree)) throw toRefusalResponse(tree);
  const { shown, page } = cutFolderPage([...tree.folders, ...tree.files], url);
  const files = shown.flatMap((entry) => (typeof entry === "string" ? [] : entry));
  const rows = {
    folders: shown.filter((entry) => typeof entry === "string"),
    files: files.map(({ blob: _, ...file }) => ({ ...file, notes: tally.byPath.get(file.path) ?? 0 })),
  };
  return json({ repo: head, tree: { path: tree.path, truncated: tree.truncated, rows, page } });
}

export async function action(args: ActionFunctionArgs) {
  const { repo } = await requireRepo(args);
  const form = await readForm(args, repoUrlForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const result = await changeRepoUrl(args.context.services, repo.user_id, repo.repo_name, form);
  if (isRefusal(result)) return answerRefusal(args.request, result, { url: form.url });
  args.context.session.flash({ say: "repo", what: "syncing", name: repo.repo_name });
  return answerSuccess(args.request, { ok: true }, repoPlace(repo.repo_name));
}

type RefusedSync = { refusal: RefusalBody; typed: { url: string } | null };

export const headers = passRefreshHeader;

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.repo.repo_name ?? text.repos.title,
  jsonTwin: "/api/repos/:name/tree",
};

export const links = linkSheets(styles);

export default function Repo() {
  const { repo, tree } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedSync>();
  const text = useText().repos;
  const mayNeedUrl = repo.state === "failed" || repo.state === "empty";
  const urlForm = (mayNeedUrl || actionData) && (
    <RepoUrlForm repo={repo} typed={actionData?.typed?.url} refused={actionData?.refusal.code} />
  );
  if (!tree)
    return (
      <>
        <RepoHead repo={repo} part="" />
        <RepoNotCopiedNotice repo={repo} refreshes />
        {urlForm}
      </>
    );
  const { path, rows, page } = tree;
  return (
    <>
      <RepoHead repo={repo} part="" />
      {urlForm}
      <RepoTrail name={repo.repo_name} path={path} />
      {page.total === 0 ? (
        <EmptyState icon="files" title={text.emptyTree}>
          <p className="soft">{repo.state === "empty" ? text.emptyRemote : text.emptyTreeLead}</p>
        </EmptyState>
      ) : (
        <div className="stack">
          <RepoTree name={repo.repo_name} rows={rows} />
          <FolderPager page={page} list={repoPlace(repo.repo_name, "", { path })} shownOf={text.shownOf} />
        </div>
      )}
      {tree.truncated && <Alert caution>{text.tooMany(page.total)}</Alert>}
    </>
  );
}
