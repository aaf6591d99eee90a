// Without it a note is moved by the fields of its form; with it by dragging its head, or its grip on touch screens.
import { dragBox, listBoardNotes, savePosition, setBox } from "#app/enhance/notes/note-box.ts";
import {
  findBoardTabAt,
  markBoardTab,
  moveNote,
  scrollBoardTabs,
  stopScrollingBoards,
} from "#app/enhance/notes/note-move.ts";

export function enhanceNoteDrag(): void {
  for (const note of listBoardNotes()) {
    const grip = note.querySelector<HTMLElement>("[data-note-grip]");
    grip?.classList.remove("needs-script");
    grip?.addEventListener("pointerdown", (event) => dragToPlaceOrBoard(event, note));
    note
      .querySelector<HTMLElement>("[data-note-handle]")
      ?.addEventListener(
        "pointerdown",
        (event) => event.pointerType === "mouse" && dragToPlaceOrBoard(event, note),
      );
  }
}

/** A note dropped on the tab of another board moves there and keeps its position here. */
function dragToPlaceOrBoard(event: PointerEvent, note: HTMLElement): void {
  let board: HTMLElement | null = null;
  dragBox(event, note, {
    change: ({ x, y }, inline, block) => ({ x: x + inline, y: y + block }),
    follow: (pointer) => {
      const findBoard = () => {
        board = findBoardTabAt(pointer);
        markBoardTab(board);
      };
      findBoard();
      scrollBoardTabs(pointer, findBoard);
    },
    save: (_, { start, isCancelled }) => {
      stopScrollingBoards();
      markBoardTab(null);
      if (isCancelled || !board?.dataset.boardDrop) return savePosition(note);
      setBox(note, { x: start.x, y: start.y });
      void moveNote(note, board.dataset.boardDrop);
    },
  });
}
