// Measures which notes of a board are in view, and scrolls to them.
import { listBoardNotes } from "#app/enhance/notes/note-box.ts";

export const MARGIN_PX = 24;

export function listNotesInView(board: HTMLElement): HTMLElement[] {
  const view = board.getBoundingClientRect();
  return listBoardNotes().filter((note) => {
    const { left, right, top, bottom } = note.getBoundingClientRect();
    const inline = Math.min(right, view.right) - Math.max(left, view.left);
    const block = Math.min(bottom, view.bottom) - Math.max(top, view.top);
    return inline > MARGIN_PX && block > MARGIN_PX;
  });
}

export function measureNotes(): DOMRect {
  const boxes = listBoardNotes().map((note) => note.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

export function scrollToBox(board: HTMLElement, { left, right, top }: DOMRect): void {
  const view = board.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(board).direction === "rtl";
  board.scrollBy({
    left: isRightToLeft ? right - view.right + MARGIN_PX : left - view.left - MARGIN_PX,
    top: top - view.top - MARGIN_PX,
    behavior: "instant",
  });
}
