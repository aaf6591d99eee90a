import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { HostTree } from "#app/codehost/host-tree.ts";
import {
  maySendTo,
  readHostFolder,
  requestSyncAfterCommit,
  uploadToHost,
} from "#app/codehost/upload.server.ts";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/repos/repos.css?url";
import { answerRefusal, answerSuccess, requireValue } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { findFile } from "#db/files/file-records.server.ts";
import { findRepo, listRepos } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { baseName, parseSourcePath } from "#domain/repos/repo.ts";
import { uploadForm } from "./form.server.ts";
import { HostUpload, type TypedUpload } from "./host-upload.tsx";

async function requireFileToUpload(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const file_id = args.params.id ?? "";
  const file = await findFile(args.context.services.db, signedIn.user.id, file_id);
  return { signedIn, file: requireValue(file, Refusal("file_not_found", { file_id })) };
}

/** Offers the mirrors that the newest version can be sent to; an imported file returns to its origin. */
export async function loader(args: LoaderFunctionArgs) {
  const { signedIn, file } = await requireFileToUpload(args);
  const { services } = args.context;
  const allRepos = await listRepos(services.db, signedIn.user.id, services.clock());
  const repos = allRepos.filter((repo) => maySendTo(services, signedIn, repo));
  const origin = repos.find(({ repo_name }) => repo_name === file.repo);
  const path = (origin && parseSourcePath(origin.url, origin.branch, file.source_url)) ?? file.file_name;
  return json({
    file: { id: file.id, file_name: file.file_name, version: file.version },
    repos: repos.map(({ repo_name, branch }) => ({ repo_name, branch })),
    typed: { repo_name: origin?.repo_name ?? "", path, branch: "", message: "" },
  });
}

/** Makes one commit at the host, or only checks the destination. A sync brings the commit into the mirror. */
export async function action(args: ActionFunctionArgs) {
  const { signedIn, file } = await requireFileToUpload(args);
  const form = await readForm(args, uploadForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { services } = args.context;
  const { db, clock } = services;
  const repo = await findRepo(db, signedIn.user.id, form.repo_name, clock());
  if (!repo)
    return answerRefusal(args.request, Refusal("repo_not_found", { repo_name: form.repo_name }), form);
  const { path, message, intent } = form;
  if (intent === "check") {
    const tree = await readHostFolder(services, signedIn, repo, { path, branch: form.branch || undefined });
    return isRefusal(tree) ? answerRefusal(args.request, tree, form) : json({ checked: tree, typed: form });
  }
  const wish = { path, message, branch: form.branch || undefined, source: { file_id: file.id } };
  const result = await uploadToHost(services, signedIn, repo, wish);
  if (isRefusal(result)) return answerRefusal(args.request, result, form);
  const sync_queued = (await requestSyncAfterCommit(services, repo)) !== null;
  args.context.session.flash({ say: "host_upload", path: baseName(path), sync_queued });
  return answerSuccess(args.request, { ok: true, ...result, sync_queued }, `/file/${file.id}`, 201);
}

type UploadPageData = SerializeFrom<typeof loader>;
type UploadResult = { refusal?: RefusalBody; checked?: HostTree; typed: TypedUpload | null };

export const handle: PageHandle<UploadPageData> = {
  title: (text, data) => (data ? text.repos.uploadTitle(data.file.file_name) : text.repos.upload),
};

export const links = linkSheets(styles);

export default function UploadToHost() {
  const { file, repos, typed } = useLoaderData<typeof loader>();
  const actionData = useActionData<UploadResult>();
  const text = useText().repos;
  return (
    <>
      <div className="page-head">
        <h1>{text.uploadTitle(file.file_name)}</h1>
      </div>
      <p className="soft below-3">{text.uploadLead(file.version)}</p>
      {repos.length === 0 ? (
        <EmptyState icon="repo" title={text.uploadNowhere}>
          <p className="soft">{text.uploadNowhereLead}</p>
          <a className="button" href="/repos">
            {text.title}
          </a>
        </EmptyState>
      ) : (
        <HostUpload
          repos={repos}
          typed={actionData?.typed ?? typed}
          refused={actionData?.refusal?.code}
          checked={actionData?.checked}
          back={`/file/${file.id}`}
        />
      )}
    </>
  );
}
