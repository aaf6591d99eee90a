import { json, type LoaderFunctionArgs, redirect, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CodeView } from "#app/files/code/code-view.tsx";
import { PlainReason } from "#app/files/code/plain-reason.tsx";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { AddNoteLink } from "#app/notes/note-forms.tsx";
import { toColorRules } from "#app/notes/note-places.tsx";
import { NotedCode, NoteList, NotesContainer } from "#app/notes/noted-code.tsx";
import { toNotedRepoFile } from "#app/notes/noted-file.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import { RepoHead } from "#app/repos/repo-head.tsx";
import { requireRepo } from "#app/repos/repo-page.server.ts";
import { RepoTrail } from "#app/repos/repo-trail.tsx";
import { describeFileKind } from "#app/repos/repo-tree.tsx";
import styles from "#app/styles/repos/repos.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { toLineQuery } from "#app/viewers/code/code-lines.ts";
import { readShownLine, toCodeMarks } from "#app/viewers/code/code-marks.server.ts";
import { highlight } from "#app/viewers/code/highlight.server.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { readRepoFile } from "#db/repos/repo-tree.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { baseName } from "#domain/repos/repo.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { listRepoFileNotes } from "./repo-file-notes.server.ts";

/** One file of a mirror with its notes: `?path=src/main.py&L=4-8`. A missing file redirects to the notes that are left of it. */
export async function loader(args: LoaderFunctionArgs) {
  const { ownerId, repo, head, tally } = await requireRepo(args);
  const { db } = args.context.services;
  if (!repo.last_sync_time) throw redirect(repoPlace(repo.repo_name));
  const path = new URL(args.request.url).searchParams.get("path") ?? "";
  const result = await readRepoFile(db, repo, path);
  if (isRefusal(result)) {
    if (tally.byPath.has(path)) throw redirect(repoPlace(repo.repo_name, "orphans"));
    throw toRefusalResponse(result);
  }
  const { file, text } = result;
  const notes = await listRepoFileNotes(
    args.context,
    ownerId,
    { kind: "repo", repo_name: repo.repo_name, repo_path: path },
    text,
  );
  const code =
    text === null
      ? null
      : await highlight(args.context, {
          owner: ownerId,
          body: text,
          language: file.language,
          line: readShownLine(args.request),
          marks: toCodeMarks(args.request, notes),
          lineQuery: toLineQuery({ path }),
        });
  const { blob: _, ...shown } = file;
  return json({ repo: head, file: shown, code, notes });
}

type RepoFileData = SerializeFrom<typeof loader>;

export const handle: PageHandle<RepoFileData> = {
  title: (text, data) => (data ? baseName(data.file.path) : text.repos.title),
  jsonTwin: "/api/repos/:name/file",
};

export const links = linkSheets(viewStyles, styles);

export default function RepoFile() {
  const { repo, file, code, notes } = useLoaderData<typeof loader>();
  const { repos: text } = useText();
  const notedFile = toNotedRepoFile(repo.repo_name, file.path);
  return (
    <article>
      <RepoHead repo={repo} part="" />
      <FileBar repo={repo} file={file} noteable={code !== null} />
      {code === null && <Alert caution>{text.kinds[file.kind]}</Alert>}
      {code && <PlainReason code={code} />}
      {code && !notes && <CodeView code={code} raw={null} />}
      {code && notes && <NotedCode code={code} raw={null} on={notedFile} notes={notes} />}
      {!code && notes && (
        <NotesContainer on={notedFile} rules={toColorRules(notes)} className="noted grid gap-4">
          <NoteList on={notedFile} notes={notes} />
        </NotesContainer>
      )}
    </article>
  );
}

function FileBar({ repo, file, noteable }: Pick<RepoFileData, "repo" | "file"> & { noteable: boolean }) {
  const text = useText().repos;
  const { path } = file;
  return (
    <div className="cluster buttons-small below-3 gap-6 rows-2">
      <h2 className="visually-hidden">{baseName(path)}</h2>
      <RepoTrail name={repo.repo_name} path={path} className="grow-16" />
      <ul className="cluster small soft gap-4 rows-1">
        <li className="inline gap-2">
          <LanguageDot language={file.language} />
          {describeFileKind(text, file)}
        </li>
        <li className="inline gap-2">
          <Bytes count={file.size} />
        </li>
      </ul>
      <div className="actions">
        {noteable && <AddNoteLink on={toNotedRepoFile(repo.repo_name, path)} />}
        <a className="button" href={repoPlace(repo.repo_name, "history", { path })}>
          <Icon name="clock" />
          {text.history}
        </a>
        {noteable && (
          <a className="button" href={repoPlace(repo.repo_name, "import", { path })}>
            <Icon name="book" />
            {text.save}
          </a>
        )}
      </div>
    </div>
  );
}
