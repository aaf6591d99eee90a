import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { NoteStyleRules, toColorRules } from "#app/notes/note-places.tsx";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { readRepoHead } from "#app/repos/repo-page.server.ts";
import noteStyles from "#app/styles/notes/note-pages.css?url";
import styles from "#app/styles/repos/repos.css?url";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { listRepoOrphans } from "#db/notes/repos/repo-notes.server.ts";
import { reattachFileNotes } from "#db/notes/repos/repo-reattach.server.ts";
import { findRepo } from "#db/repos/repos.server.ts";
import { isRefusal, Refusal, type RefusalBody } from "#domain/refusal.ts";
import { baseName } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { reattachForm, type TypedReattach } from "./form.server.ts";
import { OrphanGroup } from "./orphan-group.tsx";
import { listOrphanGroups } from "./repo-orphans.server.ts";

/** The notes of a repository whose files are missing, by their paths; all of its notes if it is not mirrored. */
export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const name = args.params.name ?? "";
  const [repo, lost] = await Promise.all([
    findRepo(db, user.id, name, clock()),
    listRepoOrphans(db, user.id, name),
  ]);
  if (isRefusal(lost)) throw toRefusalResponse(lost);
  if (!repo && lost.notes.length === 0)
    throw toRefusalResponse(Refusal("repo_not_found", { repo_name: name }));
  return json({
    name,
    repo: repo && (await readRepoHead(args.context.services, repo, lost.notes.length)),
    groups: await listOrphanGroups(args.context, user.id, repo, lost.notes),
  });
}

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, reattachForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { db, clock } = args.context.services;
  const repo_name = args.params.name ?? "";
  const from = { kind: "repo", repo_name, repo_path: form.from } as const;
  const result = await reattachFileNotes(db, user.id, from, form.path, clock());
  if (isRefusal(result)) return answerRefusal(args.request, result, form);
  const { moved } = result;
  if (result.refusal) return answerRefusal(args.request, result.refusal, form);
  args.context.session.flash({ say: "reattached", count: moved, path: baseName(form.path) });
  return answerSuccess(args.request, { ok: true, moved }, repoPlace(repo_name, "file", { path: form.path }));
}

type DetachedNotesData = SerializeFrom<typeof loader>;
type RefusedReattach = { refusal: RefusalBody; typed: TypedReattach | null };

export const handle: PageHandle<DetachedNotesData> = {
  title: (text, data) => (data ? text.repos.orphansTitle(data.name) : text.repos.parts.orphans),
  jsonTwin: "/api/sticky-notes/repo-orphans/:name",
};

export const links = linkSheets(noteStyles, styles);

export default function Orphans() {
  const { name, repo, groups } = useLoaderData<typeof loader>();
  const actionData = useActionData<RefusedReattach>();
  const { repos: text, notes: noteText } = useText();
  const notes = groups.flatMap((group) => group.notes);
  return (
    <>
      {repo ? <RepoHead repo={repo} part="orphans" /> : <UnmirroredHead name={name} />}
      <p className="soft below-3">{text.orphansLead}</p>
      <RefusalAlert code={actionData?.refusal.code} />
      {groups.length === 0 && (
        <EmptyState icon="check" title={text.orphansNone}>
          <p className="soft">{text.orphansNoneLead}</p>
        </EmptyState>
      )}
      <NoteStyleRules rules={toColorRules(notes)} />
      <div data-said={JSON.stringify(noteText.said)}>
        {groups.map((group) => (
          <OrphanGroup
            key={group.path}
            name={name}
            group={group}
            mirrored={repo !== null}
            typed={actionData?.typed?.from === group.path ? actionData.typed.path : undefined}
          />
        ))}
      </div>
    </>
  );
}

function UnmirroredHead({ name }: { name: string }) {
  const text = useText().repos;
  return (
    <>
      <ParentLink href="/repos">{text.title}</ParentLink>
      <div className="page-head">
        <h1>{text.orphansTitle(name)}</h1>
      </div>
      <Alert caution>{text.notMirrored}</Alert>
    </>
  );
}
