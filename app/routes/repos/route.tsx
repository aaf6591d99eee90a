import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { readSyncStates } from "#app/repos/repo-page.server.ts";
import styles from "#app/styles/repos/repos.css?url";
import { answerRefusal, answerSuccess } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Field } from "#app/web/ui/field.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { countRepoNotes, listUnmirroredRepos } from "#db/notes/repos/repo-notes.server.ts";
import { listRepos } from "#db/repos/repos.server.ts";
import { isRefusal, type RefusalBody, type RefusalCode } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { changeRepos, keepTypedRepo, repoForm, type TypedRepo } from "./form.server.ts";
import { OrphanRepos, RepoRows } from "./repo-rows.tsx";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const [mirrors, counts, orphanRepos] = await Promise.all([
    listRepos(db, user.id, clock()),
    countRepoNotes(db, user.id),
    listUnmirroredRepos(db, user.id),
  ]);
  const { fresh, fault } = await readSyncStates(args.context.services, mirrors);
  const repos = mirrors.map(({ repo_name, url, files, bytes }, i) => ({
    ...itemAt(fresh, i),
    url,
    files,
    bytes,
    notes: counts.get(repo_name) ?? 0,
  }));
  return json({ repos, orphaned: orphanRepos, fault });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, repoForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const result = await changeRepos(args.context.services, user.id, form);
  if (isRefusal(result)) return answerRefusal(args.request, result, keepTypedRepo(form));
  args.context.session.flash(result.flash);
  return answerSuccess(args.request, { ok: true }, result.page);
}

type RefusedRepo = { refusal: RefusalBody; typed: TypedRepo | null };

export const handle: PageHandle = { title: (text) => text.repos.title, jsonTwin: "/api/repos" };

export const links = linkSheets(styles);

export default function Repos() {
  const { repos, orphaned: orphanRepos, fault } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedRepo>();
  const text = useText().repos;
  const typed = actionData?.typed?.intent === "mirror" ? actionData.typed : null;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
      </div>
      <p className="soft below-3">{text.lead}</p>
      <RefusalAlert code={actionData?.refusal.code} />
      {fault && <Alert caution>{text.syncErrors[fault]}</Alert>}
      <MirrorForm typed={typed} refused={actionData?.refusal.code} />
      <section className="section" aria-labelledby="repo-list">
        <h2 className="visually-hidden" id="repo-list">
          {text.list}
        </h2>
        {repos.length === 0 ? (
          <EmptyState icon="repo" title={text.none}>
            <p className="soft">{text.noneLead}</p>
          </EmptyState>
        ) : (
          <RepoRows repos={repos} />
        )}
      </section>
      {orphanRepos.length > 0 && <OrphanRepos repos={orphanRepos} />}
    </>
  );
}

type MirrorProps = { typed: { url: string; name: string } | null; refused: RefusalCode | undefined };

function MirrorForm({ typed, refused }: MirrorProps) {
  const text = useText().repos;
  return (
    <form className="card card-roomy form-wide" method="post">
      <Field
        name="url"
        label={text.url}
        value={typed?.url}
        hint={text.urlHint}
        code
        invalid={typed !== null && (refused === "repo_url_not_allowed" || refused === "repo_url_not_public")}
      />
      <details open={typed !== null && typed.name !== ""}>
        <summary className="small reach">{text.more}</summary>
        <div className="fields-row above-3">
          <Field
            name="name"
            label={text.name}
            value={typed?.name}
            hint={text.nameHint}
            code
            invalid={typed !== null && (refused === "invalid_repo_name" || refused === "repo_name_taken")}
          />
          <Field
            name="token"
            label={text.token}
            value={undefined}
            hint={text.tokenHint}
            type="password"
            code
            dir="ltr"
            invalid={refused === "invalid_repo_token"}
          />
        </div>
      </details>
      <div className="actions">
        <button className="button button-primary" type="submit" name="intent" value="mirror">
          <Icon name="plus" />
          {text.mirror}
        </button>
      </div>
    </form>
  );
}
