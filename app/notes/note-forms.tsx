import { useLocation, useSearchParams } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import type { NotedFile } from "#app/notes/noted-file.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { parseLineRange } from "#domain/text/line-range.ts";

export function UndoDeleteForm({ noteId }: { noteId: string }) {
  return <UndoForm noteId={noteId} intent="undo" />;
}

type BoardPlace = { board_id: string; x: number; y: number };

export function MoveBackForm({ noteId, from }: { noteId: string; from: BoardPlace | null }) {
  const intent = from ? `move:${from.board_id}:${from.x}:${from.y}` : "return";
  return <UndoForm noteId={noteId} intent={intent} />;
}

function UndoForm({ noteId, intent }: { noteId: string; intent: string }) {
  const text = useText().notes;
  const { pathname, search } = useLocation();
  return (
    <form method="post" action={`/note/${noteId}`}>
      <input type="hidden" name="next" value={pathname + search} />
      <button className="button button-small" type="submit" name="intent" value={intent}>
        <Icon name="undo" />
        {text.undo}
      </button>
    </form>
  );
}

/** Links to a new note on the lines that the address marks, or on a heading of a document. */
export function AddNoteLink({ on, onHeading = false }: { on: NotedFile; onHeading?: boolean }) {
  const text = useText().notes;
  const [parameters] = useSearchParams();
  const lines = parseLineRange(parameters.get("L"));
  const target = onHeading ? "&heading=" : lines ? `&L=${lines.from}-${lines.to}` : "";
  return (
    <a className="button" href={on.form + target} data-note-add="">
      <Icon name="note" />
      {text.add}
    </a>
  );
}
