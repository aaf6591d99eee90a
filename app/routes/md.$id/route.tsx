import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { SourceFallback } from "#app/files/code/source-instead.tsx";
import { readFileHeadData } from "#app/files/file-offers.server.ts";
import { toWireFile } from "#app/files/file-wire.server.ts";
import { highlightSource, openView } from "#app/files/open-view.server.ts";
import { FilePage, getOldVersion } from "#app/main/file-page.tsx";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import { noteAnchor } from "#app/notes/note-card.tsx";
import { toColorRules } from "#app/notes/note-places.tsx";
import { NoteList, NotesContainer } from "#app/notes/noted-code.tsx";
import { type NotedFile, toNotedLibraryFile } from "#app/notes/noted-file.ts";
import { listPlacedNotes } from "#app/notes/placed-notes.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import taskStyles from "#app/styles/viewers/tasks.css?url";
import viewStyles from "#app/styles/viewers/viewers.css?url";
import { findLinkedFiles, renderMarkdownPage } from "#app/viewers/markdown/markdown-page.server.ts";
import { Contents } from "#app/viewers/markdown/prose-contents.tsx";
import { cutAfterHeadings } from "#app/viewers/markdown/prose-cuts.ts";
import { rawAddress } from "#app/viewers/views.ts";
import { wantsPage } from "#app/web/answers/accept.ts";
import { answerRefusal, answerSuccess, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { setTaskChecked, taskForm } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { file, body, newest } = await openView(args, "markdown");
  const [page, notes] = await Promise.all([
    findLinkedFiles(args.context, file.user_id, file.folder_id, body).then((files) =>
      renderMarkdownPage(args.context, file.user_id, body, files, file.version === newest),
    ),
    listPlacedNotes(args.context, file, newest),
  ]);
  const instead = page.ok ? null : { reason: page.reason, code: await highlightSource(args, file, body) };
  return json({
    file: toWireFile(file),
    newest,
    prose: page.ok ? page : null,
    instead,
    notes,
    ...(await readFileHeadData(args.context.services, file)),
  });
}

/** Confirms a ticked task with an undo button; the current page shows a refusal. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const form = await readForm(args, taskForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, null);
  const { db, clock } = args.context.services;
  const file_id = args.params.id ?? "";
  const result = await setTaskChecked(db, user.id, file_id, form, clock());
  if (isRefusal(result)) {
    if (result.refused === "file_not_found" || !wantsPage(args.request.headers.get("Accept")))
      throw toRefusalResponse(result);
    args.context.session.flash({ say: "refused", code: result.refused });
  } else args.context.session.flash({ say: "task_ticked", file_id, version: result.version, ...form.task });
  return answerSuccess(args.request, { ok: true }, `/md/${file_id}`);
}

export const handle: PageHandle<SerializeFrom<typeof loader>> = {
  title: (text, data) => data?.file.file_name ?? text.files.title,
};

export const links = linkSheets(viewStyles, taskStyles);

export default function Markdown() {
  const { file, newest, prose, instead, notes, ...offers } = useLoaderData<typeof loader>();
  return (
    <FilePage file={file} newest={newest} view="preview" {...offers}>
      {instead && (
        <SourceFallback
          reason={instead.reason}
          code={instead.code}
          raw={rawAddress(file.id, getOldVersion({ file, newest }))}
        />
      )}
      {prose && (
        <>
          <form id="tasks" method="post" action={`/md/${file.id}`}>
            <input type="hidden" name="version" value={file.version} />
          </form>
          {prose.headings.length > 1 && <Contents headings={prose.headings} />}
          {notes && <NotedProse html={prose.html} on={toNotedLibraryFile(file.id)} notes={notes} />}
          {!notes && (
            // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text
            <div className="prose" dangerouslySetInnerHTML={{ __html: prose.html }} />
          )}
        </>
      )}
    </FilePage>
  );
}

type NotedProps = { html: string; on: NotedFile; notes: readonly PlacedNote[] };

/** A rendered text with each note after its heading. Notes without a heading come last. */
function NotedProse({ html, on, notes }: NotedProps) {
  const notesByHeading = Map.groupBy(notes, ({ at }) => at?.anchor_id ?? "");
  const cuts = cutAfterHeadings(html, new Set(notesByHeading.keys()));
  const shownHeadings = new Set(cuts.map(({ heading }) => heading));
  const otherNotes = notes.filter(({ at }) => !shownHeadings.has(at?.anchor_id ?? ""));
  return (
    <NotesContainer on={on} rules={toColorRules(notes)} className="prose noted-prose">
      {cuts.map(({ heading, html: sectionHtml }) => (
        <div className="prose-part" key={heading ?? noteAnchor("end")}>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text */}
          <div className="prose-part" dangerouslySetInnerHTML={{ __html: sectionHtml }} />
          {heading !== null && <NoteList on={on} notes={notesByHeading.get(heading) ?? []} />}
        </div>
      ))}
      {otherNotes.length > 0 && <NoteList on={on} notes={otherNotes} />}
    </NotesContainer>
  );
}
