import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { moveAddress, NoteCard } from "#app/notes/note-card.tsx";
import { NoteStyleRules, toColorRules } from "#app/notes/note-places.tsx";
import { toWireNotes } from "#app/notes/note-wire.server.ts";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/note-pages.css?url";
import { prefersJsonToHtml, wantsPage } from "#app/web/answers/accept.ts";
import { setJsonAnswer, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireReader } from "#app/web/session/gates.server.ts";
import { SelectField } from "#app/web/ui/choice.tsx";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { RefusalAlert } from "#app/web/ui/refusal-alert.tsx";
import { locateFileNotes } from "#db/notes/note-anchors.server.ts";
import { listEveryNote } from "#db/notes/note-overview.server.ts";
import { checkNotesOrphaned } from "#db/notes/repos/repo-notes.server.ts";
import { searchNotes } from "#db/search/note-search.server.ts";
import { encodeCursor } from "#domain/cursor.ts";
import { NOTE_COLORS, NOTE_KINDS } from "#domain/notes/note.ts";
import { moveToCurrentLines } from "#domain/notes/note-place.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { itemAt } from "#domain/required.ts";
import { checkNoteSearch } from "#domain/search/note-search.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";
import { FoundNotes } from "./found-notes.tsx";
import { readNoteQuery } from "./note-query.server.ts";
import { NoteTarget } from "./note-target.tsx";

const SHOWN = 60;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireReader(args);
  const { db } = args.context.services;
  const { q, color, kind, cursor: asked } = readNoteQuery(args.request);
  const accept = args.request.headers.get("Accept");
  const isJson = prefersJsonToHtml(accept);
  if (asked === null && !wantsPage(accept)) throw toRefusalResponse(Refusal("invalid_cursor"));
  const cursor = asked ?? undefined;
  const query = { q, color: color ?? "", kind: kind ?? "" };
  if (q.trim() === "") {
    const { notes, next } = await listEveryNote(db, user.id, { color, kind, cursor, limit: SHOWN });
    if (isJson)
      setJsonAnswer(args.request, {
        notes: await toWireNotes(db, user.id, notes),
        next_cursor: next && encodeCursor(next),
      });
    const [cards, orphanedIds, places] = await Promise.all([
      toShownNotes(args.context, user.id, notes),
      checkNotesOrphaned(db, user.id, notes),
      // A text of a mirror is read only when a person opens the note.
      locateFileNotes(db, user.id, notes),
    ]);
    const noteRows = cards.map((card, i) => {
      const { file_name, board_name } = itemAt(notes, i);
      return {
        ...moveToCurrentLines(card, places.get(card.id)),
        orphaned: orphanedIds.get(card.id) || places.get(card.id)?.state === "lost",
        file_name,
        board_name,
      };
    });
    return json({ query, notes: noteRows, next: next && encodeCursor(next), found: null, refusal: null });
  }
  const search = checkNoteSearch({ q, color, limit: "50" });
  if (isRefusal(search) && isJson) throw toRefusalResponse(search);
  if (isRefusal(search))
    return json({ query, notes: null, next: null, found: null, refusal: search.refused }, 400);
  const result = await searchNotes(db, user.id, search);
  const rows = result.notes
    .filter((note) => !kind || note.kind === kind)
    .map((note) => ({ ...note, updated_at: toTimestamp(note.updated_at) }));
  setJsonAnswer(args.request, { found: rows, more: result.more });
  return json({ query, notes: null, next: null, found: { rows, more: result.more }, refusal: null });
}

type NoteListData = SerializeFrom<typeof loader>;

export const handle: PageHandle = { title: (text) => text.notes.title };

export const links = linkSheets(styles);

export default function Notes() {
  const { query, notes, next, found, refusal } = useLoaderData<typeof loader>();
  const text = useText();
  return (
    <>
      <div className="page-head">
        <h1>{text.notes.title}</h1>
        <a className="button button-primary" href="/notes/new">
          <Icon name="plus" />
          {text.notes.add}
        </a>
      </div>
      <NoteSearch query={query} />
      <RefusalAlert code={refusal ?? undefined} />
      {found && found.rows.length > 0 && <FoundNotes found={found} needle={query.q.trim()} />}
      {notes && notes.length > 0 && <EveryNote notes={notes} />}
      {!refusal && (notes?.length ?? 0) === 0 && (found?.rows.length ?? 0) === 0 && <NoNotes query={query} />}
      {next && (
        <nav className="pager screen-only" aria-label={text.files.pages}>
          <a className="button" href={toNextPageAddress(query, next)} rel="next">
            {text.files.next}
            <Icon name="forward" />
          </a>
        </nav>
      )}
    </>
  );
}

type NoteListQuery = NoteListData["query"];

function toNextPageAddress({ color, kind }: NoteListQuery, cursor: string): string {
  const filters = Object.entries({ color, kind, cursor }).filter(([, value]) => value !== "");
  return `/notes?${new URLSearchParams(filters)}`;
}

function EveryNote({ notes }: { notes: NonNullable<NoteListData["notes"]> }) {
  const text = useText().notes;
  return (
    <section data-said={JSON.stringify(text.said)}>
      <NoteStyleRules rules={toColorRules(notes)} />
      <h2 className="visually-hidden">{text.title}</h2>
      <ul className="note-rows">
        {notes.map((note) => (
          <li key={note.id}>
            <NoteCard
              note={note}
              place={<NoteTarget note={note} />}
              moving={note.file_id ? moveAddress(note.id) : undefined}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoNotes({ query: { q, color, kind } }: { query: NoteListQuery }) {
  const text = useText().notes;
  if (q.trim() !== "")
    return (
      <EmptyState icon="search" title={text.noneFound(q.trim())}>
        <p className="soft">{text.noneFoundLead}</p>
        <a className="button" href="/notes">
          {text.showAll}
        </a>
      </EmptyState>
    );
  const isFiltered = color !== "" || kind !== "";
  return (
    <EmptyState icon="note" title={isFiltered ? text.noneHere : text.none}>
      <p className="soft">{isFiltered ? text.noneHereLead : text.noneLead}</p>
      {isFiltered && (
        <a className="button" href="/notes">
          {text.showAll}
        </a>
      )}
    </EmptyState>
  );
}

function NoteSearch({ query }: { query: { q: string; color: string; kind: string } }) {
  const text = useText().notes;
  return (
    <search>
      <form className="toolbar note-search gap-2 below-4" method="get" action="/notes">
        <div className="field">
          <label htmlFor="note-q">{text.searchFor}</label>
          <input className="input" id="note-q" type="search" name="q" defaultValue={query.q} dir="auto" />
        </div>
        <SelectField
          name="color"
          id="note-color"
          label={text.color}
          chosen={query.color}
          none={text.anyColor}
          options={NOTE_COLORS}
          write={(color) => text.colors[color]}
        />
        <SelectField
          name="kind"
          id="note-kind"
          label={text.kind}
          chosen={query.kind}
          none={text.anyPlace}
          options={NOTE_KINDS}
          write={(kind) => text.kinds[kind]}
        />
        <button className="button" type="submit">
          {text.search}
        </button>
      </form>
    </search>
  );
}
