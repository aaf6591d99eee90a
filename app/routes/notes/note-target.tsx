import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { useBoardName } from "#app/notes/boards/board-rows.tsx";
import { DEFAULT_BOARD_NAME } from "#domain/boards/board.ts";
import type { NoteKind, TargetedNote } from "#domain/notes/note.ts";

export type Targeted = TargetedNote & {
  id: string;
  file_name: string | null;
  board_name: string | null;
  line_start?: number | null;
  line_end?: number | null;
  orphaned?: boolean;
};

type PlaceWords = { text: Dictionary["notes"]; getBoardName: ReturnType<typeof useBoardName> };

const NAME_PLACE: Record<NoteKind, (note: Targeted, words: PlaceWords) => string> = {
  file: ({ file_name }, { text }) => text.inFile(file_name ?? ""),
  board: ({ board_name }, { text, getBoardName }) => {
    const name = board_name ?? DEFAULT_BOARD_NAME;
    return text.onBoard(getBoardName({ name, is_default: name === DEFAULT_BOARD_NAME }));
  },
  repo: ({ repo_name, repo_path }, { text }) => text.inFile(`${repo_name}/${repo_path}`),
};

export function NoteTarget({ note }: { note: Targeted }) {
  const text = useText().notes;
  const getBoardName = useBoardName();
  const placeName = NAME_PLACE[note.kind](note, { text, getBoardName });
  const { line_start: from, line_end: to } = note;
  return (
    <a className="note-place reach-wide inline contained fit reach" href={`/note/${note.id}`} data-row>
      {placeName}
      {from && ` · ${text.line(from, to ?? from)}`}
      {note.orphaned && ` · ${text.orphan}`}
    </a>
  );
}
