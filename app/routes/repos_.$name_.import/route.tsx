import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { findRequestedRun, REFRESHED } from "#app/code-runs/requested-run.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import { RepoNotCopiedNotice } from "#app/repos/repo-unread.tsx";
import styles from "#app/styles/repos/repos.css?url";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { Field } from "#app/web/ui/field.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { planImport } from "#db/repos/repo-import.server.ts";
import { requestImport } from "#db/repos/repo-runs.server.ts";
import { isRefusal, type RefusalBody } from "#domain/refusal.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { importForm } from "./form.server.ts";
import { ImportPlan, ImportRunStatus } from "./repo-import.tsx";

const LISTED = 200;

/** Previews an import of `?path=src`; with `?run=`, shows the progress of a running one. */
export async function loader(args: LoaderFunctionArgs) {
  const { repo, head } = await requireRepo(args);
  const { db, clock } = args.context.services;
  const { searchParams } = new URL(args.request.url);
  const path = searchParams.get("path") ?? "";
  const run = await findRequestedRun(db, repo, searchParams.get("run"));
  const empty = { repo: head, path, run, plan: null, refusal: null };
  if (run) return json(empty, { headers: run.state === "under_way" ? REFRESHED : {} });
  if (!repo.last_sync_time) return json(empty);
  const plan = await planImport(db, repo, path, clock());
  if (isRefusal(plan)) return json({ ...empty, refusal: plan.refused });
  const files = plan.files.slice(0, LISTED).map(({ path: from, file_name, size, language, known }) => ({
    path: from,
    file_name,
    size,
    language,
    known: known !== null,
  }));
  const { bytes, skipped } = plan;
  return json({ ...empty, plan: { files, count: plan.files.length, bytes, skipped } });
}

export async function action(args: ActionFunctionArgs) {
  const { repo } = await requireRepo(args);
  const form = await readForm(args, importForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { db, queue, clock } = args.context.services;
  const plan = await planImport(db, repo, form.path, clock());
  if (isRefusal(plan)) return answerRefusal(args.request, plan, form);
  const run = await requestImport(db, queue, repo, plan.path, clock());
  const page = repoPlace(repo.repo_name, "import", { path: plan.path, run });
  return answerSuccess(args.request, { ok: true, run_id: run }, page, 202);
}

type RefusedImport = { refusal: RefusalBody };

export const headers = passRefreshHeader;

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => (data ? text.repos.importTitle(data.repo.repo_name) : text.repos.parts.import),
  jsonTwin: "/api/repos/:name/import",
};

export const links = linkSheets(styles);

export default function RepoImport() {
  const { repo, path, run, plan, refusal } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedImport>();
  const text = useText().repos;
  return (
    <>
      <RepoHead repo={repo} part="import" />
      <p className="soft below-3">
        {text.importLead} {text.importLimits}
      </p>
      <RefusalAlert code={actionData?.refusal.code} />
      {run && <ImportRunStatus name={repo.repo_name} run={run} />}
      {!run && !repo.last_sync_time && <RepoNotCopiedNotice repo={repo} />}
      {!run && repo.last_sync_time && (
        <>
          <form className="repo-line flex wraps top gap-3 around-3" method="get">
            <Field
              name="path"
              id="import-path"
              label={text.importFolder}
              value={path}
              hint={text.importFolderHint}
              code
              dir="ltr"
            />
            <button className="button" type="submit">
              {text.importLook}
            </button>
          </form>
          <RefusalAlert code={refusal ?? undefined} />
          {plan && <ImportPlan name={repo.repo_name} path={path} plan={plan} />}
        </>
      )}
    </>
  );
}
