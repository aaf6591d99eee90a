import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { NoteBody } from "#app/notes/note-body.tsx";
import { findNotePageAddress } from "#app/notes/note-page.server.ts";
import { toShownNote } from "#app/notes/shown-note.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/note-pages.css?url";
import { renderNotesHtml } from "#app/viewers/markdown/notes-html.server.ts";
import { answerSuccess, requireValue, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { ParentLink } from "#app/web/ui/frame/trail.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { listPastContents, restoreContent } from "#db/notes/note-history.server.ts";
import { findNote } from "#db/notes/notes.server.ts";
import { noteName } from "#domain/notes/note-place.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { notePastForm } from "./form.server.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, threads } = args.context.services;
  const note_id = args.params.id ?? "";
  const note = requireValue(await findNote(db, user.id, note_id), Refusal("note_not_found", { note_id }));
  const past = await listPastContents(db, user.id, note_id);
  if (isRefusal(past)) throw toRefusalResponse(past);
  const texts = [note, ...past];
  const html = await renderNotesHtml(
    { threads, owner: user.id, locale: await args.context.locale() },
    texts.map(({ content }) => ({ content, form: null })),
    args.context.largeHtml,
  );
  const [now, ...earlier] = texts.map(({ updated_at }, i) => ({
    html: itemAt(html, i),
    updated_at: toTimestamp(updated_at),
    at: updated_at.getTime(),
  }));
  return json({
    name: noteName(note),
    color: note.color,
    place: await findNotePageAddress(db, user.id, note),
    now: required(now, "text of the note"),
    past: earlier,
  });
}

/** Restores an earlier text; the current one becomes an earlier one. */
export async function action(args: ActionFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const form = await readForm(args, notePastForm);
  if (isRefusal(form)) throw toRefusalResponse(form);
  const writtenAt = new Date(form.at);
  const note = await restoreContent(db, user.id, args.params.id ?? "", writtenAt, { now: clock() });
  if (isRefusal(note)) throw toRefusalResponse(note);
  args.context.session.flash({ say: "note_restored" });
  return answerSuccess(
    args.request,
    { ok: true, note: toShownNote(note) },
    await findNotePageAddress(db, user.id, note),
  );
}

type HistoryPageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<HistoryPageData> = {
  title: (text, data) => text.notes.historyTitle(data?.name || text.notes.untitled),
};

export const links = linkSheets(styles);

export default function NoteHistory() {
  const { name, color, place, now, past } = useLoaderData<typeof loader>();
  const text = useText().notes;
  return (
    <>
      <ParentLink href={place}>{text.back}</ParentLink>
      <div className="page-head">
        <h1>{text.historyTitle(name || text.untitled)}</h1>
      </div>
      {past.length === 0 && <p className="soft below-3">{text.noHistory}</p>}
      <h2 className="visually-hidden">{text.history}</h2>
      <ol className="note-rows">
        {[now, ...past].map((text, i) => (
          <li key={text.at}>
            <NoteVersion text={text} color={color} current={i === 0} />
          </li>
        ))}
      </ol>
    </>
  );
}

type TextProps = { text: HistoryPageData["now"]; color: string; current: boolean };

function NoteVersion({ text: { html, updated_at, at }, color, current }: TextProps) {
  const text = useText().notes;
  return (
    <article className="note" data-color={color}>
      <h3 className="note-head gap-1 target note-title">{current ? text.now : <Moment at={updated_at} />}</h3>
      <NoteBody html={html} />
      {!current && (
        <form className="cluster spread note-foot tiny gap-2 rows-1" method="post">
          <button className="button button-small" type="submit" name="at" value={at}>
            <Icon name="undo" />
            {text.restore}
          </button>
        </form>
      )}
    </article>
  );
}
