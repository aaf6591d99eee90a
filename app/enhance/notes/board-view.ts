// Shared by what shows a board: which of its notes are in sight, and how they come there.
import { boardNotes } from "#app/enhance/notes/note-box.ts";

/** What stays free around notes that are scrolled to. */
export const MARGIN_PX = 24;

/** Those that show more than an edge. */
export function listNotesInView(board: HTMLElement): HTMLElement[] {
  const seen = board.getBoundingClientRect();
  return boardNotes().filter((note) => {
    const { left, right, top, bottom } = note.getBoundingClientRect();
    const inline = Math.min(right, seen.right) - Math.max(left, seen.left);
    const block = Math.min(bottom, seen.bottom) - Math.max(top, seen.top);
    return inline > MARGIN_PX && block > MARGIN_PX;
  });
}

/** The part of the surface that has notes. */
export function measureNotes(): DOMRect {
  const boxes = boardNotes().map((note) => note.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

/** Scrolls the board so that a box on it begins where reading begins. */
export function scrollToStart(board: HTMLElement, { left, right, top }: DOMRect): void {
  const seen = board.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(board).direction === "rtl";
  board.scrollBy({
    left: isRightToLeft ? right - seen.right + MARGIN_PX : left - seen.left - MARGIN_PX,
    top: top - seen.top - MARGIN_PX,
    behavior: "instant",
  });
}
