import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { findRequestedRun, REFRESHED } from "#app/code-runs/requested-run.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import styles from "#app/styles/repos/repo-analysis.css?url";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { findAnalysis } from "#db/repos/repo-analyses.server.ts";
import { requestAnalysis } from "#db/repos/repo-runs.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { RepoAnalysis } from "./repo-analysis.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const { repo, head } = await requireRepo(args);
  const { db } = args.context.services;
  const [analysisDoc, run] = await Promise.all([
    findAnalysis(db, repo),
    findRequestedRun(db, repo, repo.analysis_run_id),
  ]);
  const analysis = analysisDoc && {
    ...analysisDoc.analysis,
    analysed_at: toTimestamp(analysisDoc.analysed_at),
  };
  const headers = run?.state === "under_way" ? REFRESHED : {};
  return json({ repo: head, run: run?.state ?? null, analysis }, { headers });
}

export async function action(args: ActionFunctionArgs) {
  const { repo } = await requireRepo(args);
  const { db, queue, clock } = args.context.services;
  const { repo_name } = repo;
  if (!repo.last_sync_time) throw toRefusalResponse(Refusal("repo_not_synced", { repo_name }));
  const run_id = await requestAnalysis(db, queue, repo, clock());
  return answerSuccess(args.request, { ok: true, run_id }, repoPlace(repo_name, "analysis"), 202);
}

export const headers = passRefreshHeader;

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => (data ? text.repos.analysisTitle(data.repo.repo_name) : text.repos.parts.analysis),
  jsonTwin: "/api/repos/:name/analysis",
};

export const links = linkSheets(styles);

export default function RepoAnalysisPage() {
  const { repo, run, analysis } = useLoaderData<typeof loader>();
  const text = useText().repos;
  return (
    <>
      <RepoHead repo={repo} part="analysis" />
      <p className="soft below-3">{text.analysisLead}</p>
      {run === "failed" && <Alert>{text.analysisFailed}</Alert>}
      {run === "under_way" && <p role="status">{text.analysing}</p>}
      <div className="section-head">
        {analysis && (
          <p className="soft">
            {text.analysedAt} <Moment at={analysis.analysed_at} />
          </p>
        )}
        {run !== "under_way" && repo.last_sync_time && (
          <form method="post" action={repoPlace(repo.repo_name, "analysis")}>
            <button className={analysis ? "button" : "button button-primary"} type="submit">
              <Icon name="gauge" />
              {analysis ? text.analyseAgain : text.analyse}
            </button>
          </form>
        )}
      </div>
      {analysis && <RepoAnalysis name={repo.repo_name} analysis={analysis} />}
      {!analysis && run !== "under_way" && (
        <EmptyState icon="gauge" title={text.analysisNone}>
          <p className="soft">{text.analysisLead}</p>
        </EmptyState>
      )}
    </>
  );
}
