import {
  type ActionFunctionArgs,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { HostTree } from "#app/codehost/host-tree.ts";
import { lookAtHost, maySendTo, syncSent, uploadToHost } from "#app/codehost/upload.server.ts";
import { done, orRefuse, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { requireUser } from "#app/http/session/gates.server.ts";
import { useText } from "#app/i18n/text.ts";
import type { PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/repos/repos.css?url";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { findFile } from "#db/files/file-records.server.ts";
import { findRepo, listRepos } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { baseName, parseSourcePath } from "#domain/repos/repo.ts";
import { uploadForm } from "./form.server.ts";
import { HostUpload, type TypedUpload } from "./host-upload.tsx";

async function findSentFile(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const signedIn = await requireUser(args);
  const file_id = args.params.id ?? "";
  const found = await findFile(args.context.services.db, signedIn.user.id, file_id);
  return { signedIn, file: orRefuse(found, Refusal("file_not_found", { file_id })) };
}

/** Where the newest version of a file can be sent; a file that was imported goes back to where it came from. */
export async function loader(args: LoaderFunctionArgs) {
  const { signedIn, file } = await findSentFile(args);
  const { services } = args.context;
  const mirrored = await listRepos(services.db, signedIn.user.id, services.clock());
  const repos = mirrored.filter((repo) => maySendTo(services, signedIn, repo));
  const origin = repos.find(({ repo_name }) => repo_name === file.repo);
  const path = (origin && parseSourcePath(origin.url, origin.branch, file.source_url)) ?? file.file_name;
  return json({
    file: { id: file.id, file_name: file.file_name, version: file.version },
    repos: repos.map(({ repo_name, branch }) => ({ repo_name, branch })),
    typed: { repo_name: origin?.repo_name ?? "", path, branch: "", message: "" },
  });
}

/** One commit at the host, or a look at what is there. The mirror learns of a commit by a sync of its own. */
export async function action(args: ActionFunctionArgs) {
  const { signedIn, file } = await findSentFile(args);
  const form = await readForm(args, uploadForm);
  if (isRefusal(form)) return refused(args.request, form, null);
  const { services } = args.context;
  const { db, clock } = services;
  const repo = await findRepo(db, signedIn.user.id, form.repo_name, clock());
  if (!repo) return refused(args.request, Refusal("repo_not_found", { repo_name: form.repo_name }), form);
  const { path, message, intent } = form;
  if (intent === "check") {
    const checked = await lookAtHost(services, signedIn, repo, { path, branch: form.branch || undefined });
    return isRefusal(checked) ? refused(args.request, checked, form) : json({ checked, typed: form });
  }
  const wish = { path, message, branch: form.branch || undefined, source: { file_id: file.id } };
  const sent = await uploadToHost(services, signedIn, repo, wish);
  if (isRefusal(sent)) return refused(args.request, sent, form);
  const sync_queued = (await syncSent(services, repo)) !== null;
  args.context.flash({ say: "host_upload", path: baseName(path), sync_queued });
  return done(args.request, { ok: true, ...sent, sync_queued }, `/file/${file.id}`, 201);
}

type UploadPageData = SerializeFrom<typeof loader>;
type UploadResult = { refusal?: RefusalBody; checked?: HostTree; typed: TypedUpload | null };

export const handle: PageHandle<UploadPageData> = {
  title: (text, data) => (data ? text.repos.uploadTitle(data.file.file_name) : text.repos.upload),
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export default function UploadToHost() {
  const { file, repos, typed } = useLoaderData<typeof loader>();
  const returned = useActionData<UploadResult>();
  const text = useText().repos;
  return (
    <>
      <div className="page-head">
        <h1>{text.uploadTitle(file.file_name)}</h1>
      </div>
      <p className="soft lead">{text.uploadLead(file.version)}</p>
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
          typed={returned?.typed ?? typed}
          refused={returned?.refusal?.code}
          checked={returned?.checked}
          back={`/file/${file.id}`}
        />
      )}
    </>
  );
}
