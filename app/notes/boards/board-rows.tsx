import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { DEFAULT_BOARD_NAME } from "#domain/boards/board.ts";

type BoardRow = { id: string; name: string; is_default: boolean; notes: number };
type BoardName = Pick<BoardRow, "name" | "is_default">;

/** The default board has a name in the reader's language until someone renames it. */
export function toBoardName({ boards }: Dictionary, { name, is_default }: BoardName): string {
  return is_default && name === DEFAULT_BOARD_NAME ? boards.standard : name;
}

export function useBoardName(): (board: BoardName) => string {
  const text = useText();
  return (board) => toBoardName(text, board);
}

type RowsProps = {
  boards: readonly BoardRow[];
  standard: string;
  /** A refused name, and the action it was for. */
  typed: { intent: string; name?: string } | null;
};

export function BoardRows({ boards, standard, typed }: RowsProps) {
  return (
    <ul className="rows">
      {boards.map((board) => (
        <li key={board.id} className="board-row centred grid gap-2 rows-0 pad-4 pad-block-2">
          <BoardRowContent
            board={board}
            standard={standard}
            refused={typed?.intent === `rename:${board.id}` ? typed.name : undefined}
          />
        </li>
      ))}
    </ul>
  );
}

type RowProps = { board: BoardRow; standard: string; refused: string | undefined };

function BoardRowContent({ board, standard, refused: refusedName }: RowProps) {
  const text = useText().boards;
  const name = useBoardName()(board);
  return (
    <>
      <a
        className="target-small strong breaks inline whole-row at-start"
        href={`/boards/${board.id}`}
        data-row
      >
        <bdi>{name}</bdi>
      </a>
      <span className="small soft whole-row">
        {text.count(board.notes)}
        {board.is_default && ` · ${text.isDefault}`}
      </span>
      <details className="confirm" open={refusedName !== undefined}>
        <summary className="button button-small button-quiet" aria-label={text.renameOne(name)}>
          <Icon name="edit" />
          {text.rename}
        </summary>
        <form className="card form gap-2 above-2 pad-3" method="post" action="/boards">
          <NameField id={board.id} value={refusedName ?? name} invalid={refusedName !== undefined} />
          <button className="button button-small" type="submit" name="intent" value={`rename:${board.id}`}>
            {text.rename}
          </button>
        </form>
      </details>
      {!board.is_default && <RemoveForm board={board} standard={standard} />}
    </>
  );
}

function NameField({ id, value, invalid }: { id: string; value: string; invalid: boolean }) {
  const text = useText().boards;
  return (
    <div className="field">
      <label htmlFor={`name-${id}`}>{text.name}</label>
      <input
        className="input"
        id={`name-${id}`}
        name="name"
        dir="auto"
        autoComplete="off"
        defaultValue={value}
        aria-invalid={invalid || undefined}
      />
    </div>
  );
}

/** Deleting a board takes a second press; before it, the page says where the notes go. */
function RemoveForm({ board, standard }: { board: BoardRow; standard: string }) {
  const text = useText().boards;
  return (
    <details className="confirm">
      <summary className="button button-small button-quiet" aria-label={text.removeOne(board.name)}>
        <Icon name="trash" />
        {text.remove}
      </summary>
      <form className="card form gap-2 above-2 pad-3" method="post" action="/boards">
        <p>{text.removeSure(board.notes, standard)}</p>
        <button
          className="button button-small button-wrong"
          type="submit"
          name="intent"
          value={`remove:${board.id}`}
        >
          {text.remove}
        </button>
      </form>
    </details>
  );
}
