import { useBoardName } from "#app/boards/board-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { DEFAULT_BOARD_NAME } from "#domain/boards/board.ts";

export type Targeted = {
  id: string;
  file_name: string | null;
  board_name: string | null;
  repo_name: string | null;
  repo_path: string | null;
  line_start?: number | null;
  line_end?: number | null;
  /** Whether its file is gone from the mirrored copy. */
  orphaned?: boolean;
};

/** Where a note is, as the way there. */
export function NoteTarget({ note }: { note: Targeted }) {
  const text = useText().notes;
  const getBoardName = useBoardName();
  const { board_name: name } = note;
  const words = note.file_name
    ? text.inFile(note.file_name)
    : name !== null
      ? text.onBoard(getBoardName({ name, is_default: name === DEFAULT_BOARD_NAME }))
      : text.inFile(`${note.repo_name}/${note.repo_path}`);
  const { line_start: from, line_end: to } = note;
  return (
    <a className="note-place" href={`/note/${note.id}`} data-row>
      {words}
      {from && ` · ${text.line(from, to ?? from)}`}
      {note.orphaned && ` · ${text.orphan}`}
    </a>
  );
}
