import { useText } from "#app/i18n/text.ts";
import { useBoardName } from "#app/notes/boards/board-rows.tsx";
import { SheetClose } from "#app/web/ui/frame/sheet-close.tsx";

type Board = { id: string; name: string; is_default: boolean };

/** The person's boards in one row. A note dragged onto a name moves to that board. */
export function BoardTabs({ boards, current }: { boards: readonly Board[]; current: string }) {
  const text = useText().boards;
  const name = useBoardName();
  if (boards.length < 2) return null;
  return (
    <nav className="tabs flex gap-1 edge-below board-tabs below-3" aria-label={text.title}>
      {boards.map((board) => (
        <a
          key={board.id}
          href={`/boards/${board.id}`}
          dir="auto"
          aria-current={board.id === current ? "page" : undefined}
          data-board-drop={board.id === current ? undefined : board.id}
        >
          {name(board)}
        </a>
      ))}
    </nav>
  );
}

type MoveProps = {
  noteId: string;
  noteName: string;
  boards: readonly Board[];
  page: string;
};

/** Chooses another board for a note: on a page of its own without JavaScript, over the page with it. */
export function MoveToBoard({ noteId, noteName, boards, page }: MoveProps) {
  const { notes: text } = useText();
  const name = useBoardName();
  return (
    <section
      className="surface board-move grid column gap-4 below-3 pad-4"
      aria-labelledby="board-move-title"
      data-board-move=""
    >
      <div className="cluster spread">
        <h2 className="shrinks" id="board-move-title" dir="auto">
          {text.moveTo(noteName)}
        </h2>
        <SheetClose />
      </div>
      <form className="actions" method="post" action={`/note/${noteId}`}>
        <input type="hidden" name="next" value={page} />
        {boards.map((board) => (
          <button
            key={board.id}
            className="button words-wrap breaks contained"
            type="submit"
            name="intent"
            value={`move:${board.id}`}
            dir="auto"
          >
            {name(board)}
          </button>
        ))}
        <a className="button button-quiet board-move-cancel" href={page}>
          {text.cancel}
        </a>
      </form>
    </section>
  );
}
