import { json, type LoaderFunctionArgs, type SerializeFrom } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { toBoardName, useBoardName } from "#app/notes/boards/board-rows.tsx";
import { BoardTabs, MoveToBoard } from "#app/notes/boards/board-tabs.tsx";
import { NoteCard, noteAnchor, useNoteName } from "#app/notes/note-card.tsx";
import { NoteStyleRules, toBoardRules, toColorRules } from "#app/notes/note-places.tsx";
import { toShownNotes } from "#app/notes/shown-note.server.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/notes/boards.css?url";
import { requireValue, toRefusalResponse } from "#app/web/answers/replies.server.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { EmptyState } from "#app/web/ui/empty-state.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { listBoards } from "#db/notes/boards/boards.server.ts";
import { findFormerFileNames } from "#db/notes/left-files.server.ts";
import { listNotes } from "#db/notes/notes.server.ts";
import { RANGES } from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const board_id = args.params.id ?? "";
  const boards = await listBoards(db, user.id, clock());
  const board = requireValue(
    boards.find(({ id }) => id === board_id),
    Refusal("board_not_found", { board_id }),
  );
  const [notes, leftFiles] = await Promise.all([
    listNotes(db, user.id, { kind: "board", board_id }),
    findFormerFileNames(db, user.id, board_id),
  ]);
  if (isRefusal(notes)) throw toRefusalResponse(notes);
  const inReadingOrder = notes.toSorted(
    (a, b) => a.position.y - b.position.y || a.position.x - b.position.x || (a.id < b.id ? -1 : 1),
  );
  return json({
    boards: boards.map(({ id, name, is_default }) => ({ id, name, is_default })),
    moving: new URL(args.request.url).searchParams.get("move"),
    board: { id: board.id, name: board.name, is_default: board.is_default },
    notes: await toShownNotes(args.context, user.id, inReadingOrder),
    leftFiles: Object.fromEntries(leftFiles),
  });
}

type BoardPageData = SerializeFrom<typeof loader>;

export const handle: PageHandle<BoardPageData> = {
  title: (text, data) => (data ? toBoardName(text, data.board) : text.boards.title),
  jsonTwin: "/api/sticky-notes/board/:id",
};

export const links = linkSheets(styles);

export default function Board() {
  const { board, boards, moving, notes, leftFiles } = useLoaderData<typeof loader>();
  const { boards: text, notes: words } = useText();
  const name = useBoardName()(board);
  const noteName = useNoteName();
  const movedNote = boards.length > 1 ? notes.find(({ id }) => id === moving) : undefined;
  return (
    <>
      <div className="cluster spread below-3 gap-4 rows-2">
        <h1 dir="auto">{name}</h1>
        <div className="actions">
          <ZoomButtons />
          {notes[0] && <ShowNotesLink first={notes[0].id} />}
          <a className="button" href="/boards">
            <Icon name="board" />
            {text.all}
          </a>
          <a
            className="button button-primary"
            href={`/notes/new?board=${board.id}`}
            data-key="n"
            data-board-add=""
          >
            <Icon name="plus" />
            {words.add}
          </a>
        </div>
      </div>
      <BoardTabs boards={boards} current={board.id} />
      {movedNote && (
        <MoveToBoard
          noteId={movedNote.id}
          noteName={noteName(movedNote)}
          boards={boards.filter(({ id }) => id !== board.id)}
          page={`/boards/${board.id}`}
        />
      )}
      <Surface
        name={name}
        boardId={board.id}
        notes={notes}
        leftFiles={leftFiles}
        hasOthers={boards.length > 1}
      />
    </>
  );
}

/** Zooms so that all notes fit. Without JavaScript it links to the first note. */
function ShowNotesLink({ first }: { first: string }) {
  const text = useText().boards;
  return (
    <a className="button board-surface-only" href={`#${noteAnchor(first)}`} data-board-fit>
      <Icon name="screen" />
      {text.showNotes}
    </a>
  );
}

/** Hidden until the script for zooming shows it. */
function ZoomButtons() {
  const text = useText().boards;
  return (
    <div className="surface button-strip button-row board-surface-only needs-script" data-board-zoom>
      <button className="button" type="button" data-zoom="-1" aria-label={text.zoomOut} title={text.zoomOut}>
        −
      </button>
      <output>100%</output>
      <button className="button" type="button" data-zoom="1" aria-label={text.zoomIn} title={text.zoomIn}>
        +
      </button>
    </div>
  );
}

type SurfaceProps = Pick<BoardPageData, "notes" | "leftFiles"> & {
  name: string;
  boardId: string;
  hasOthers: boolean;
};

function Surface({ name, boardId, notes, leftFiles, hasOthers }: SurfaceProps) {
  const { boards: text, notes: words } = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="board" aria-label={text.surface(name)} tabIndex={0} data-notes={`board/${boardId}`}>
      <NoteStyleRules rules={toBoardRules(notes) + toColorRules(notes)} />
      <h2 className="visually-hidden">{words.title}</h2>
      {notes.length === 0 && (
        <EmptyState icon="note" title={text.empty}>
          <p className="soft">
            {text.emptyLead}{" "}
            <span className="board-surface-only needs-script" data-board-spot>
              {text.emptySpot}
            </span>
          </p>
        </EmptyState>
      )}
      <div
        className="board-list grid gap-4"
        data-board={JSON.stringify(RANGES)}
        data-said={JSON.stringify(words.said)}
      >
        {notes.map((note) => (
          <NoteCard
            key={note.id}
            note={note}
            movable
            moving={hasOthers ? `/boards/${boardId}?move=${note.id}` : undefined}
            leftFile={leftFiles[note.id]}
          />
        ))}
      </div>
    </section>
  );
}
