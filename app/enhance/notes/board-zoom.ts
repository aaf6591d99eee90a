// Without it a board is scrolled, and a link leads to its first note; with it the board opens at its notes, is zoomed by buttons or Ctrl
// and the wheel, is panned by dragging its empty surface, and the link fits all notes.
import { listNotesInView, MARGIN_PX, measureNotes, scrollToBox } from "#app/enhance/notes/board-view.ts";
import { findBoardSurface, listBoardNotes, readZoom } from "#app/enhance/notes/note-box.ts";

const STEPS: readonly number[] = [0.5, 0.67, 0.8, 1, 1.25, 1.5];

export function enhanceBoardZoom(): void {
  const surface = findBoardSurface();
  const board = surface?.closest<HTMLElement>(".board");
  const tools = document.querySelector<HTMLElement>("[data-board-zoom]");
  if (!surface || !board || !tools) return;
  const key = `board-zoom:${board.dataset.notes}`;
  const show = (zoom: number) => {
    surface.style.setProperty("zoom", String(zoom));
    surface.style.setProperty("--board-zoom", String(zoom));
    for (const output of tools.querySelectorAll("output")) output.textContent = `${Math.round(zoom * 100)}%`;
  };
  const choose = (zoom: number) => {
    show(zoom);
    localStorage.setItem(key, String(zoom));
  };
  const step = (by: number) => {
    const before = readZoom(surface);
    const zoom = nextStep(before, by);
    const middle = readMiddle(board);
    choose(zoom);
    // The middle of the view stays in place.
    board.scrollTo(
      (middle.x * zoom) / before - board.clientWidth / 2,
      (middle.y * zoom) / before - board.clientHeight / 2,
    );
  };
  const storedZoom = Number(localStorage.getItem(key));
  show(STEPS.find((zoom) => zoom === storedZoom) ?? 1);
  scrollToFirstNote(board);
  document.querySelector("[data-board-fit]")?.addEventListener("click", (event) => {
    event.preventDefault();
    showAllNotes(board, readZoom(surface), choose);
  });
  tools.classList.remove("needs-script");
  tools.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-zoom]") : null;
    if (button) step(Number(button.dataset.zoom));
  });
  board.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      step(event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
  surface.addEventListener("pointerdown", (event) => {
    if (event.target === surface && event.button === 0 && event.pointerType === "mouse")
      panBoard(board, event);
  });
}

/**
 * Scrolls to the first note if no note is in view, because the board would look empty. The browser itself scrolls to a note that the
 * address names.
 */
function scrollToFirstNote(board: HTMLElement): void {
  const [first] = listBoardNotes();
  if (first && location.hash === "" && listNotesInView(board).length === 0)
    scrollToBox(board, first.getBoundingClientRect());
}

/** Zooms so that all notes fit. If they cannot, uses the smallest zoom, starting at the first note. */
function showAllNotes(board: HTMLElement, before: number, choose: (zoom: number) => void): void {
  const { width, height } = measureNotes();
  const fits = (zoom: number) =>
    (width * zoom) / before + 2 * MARGIN_PX <= board.clientWidth &&
    (height * zoom) / before + 2 * MARGIN_PX <= board.clientHeight;
  const zoom = STEPS.findLast((step) => step <= 1 && fits(step));
  choose(zoom ?? Math.min(...STEPS));
  const [first] = listBoardNotes();
  if (first) scrollToBox(board, zoom ? measureNotes() : first.getBoundingClientRect());
}

function nextStep(zoom: number, by: number): number {
  const index = STEPS.indexOf(zoom);
  return STEPS[Math.min(Math.max((index < 0 ? STEPS.indexOf(1) : index) + by, 0), STEPS.length - 1)] ?? 1;
}

const readMiddle = (board: HTMLElement) => ({
  x: board.scrollLeft + board.clientWidth / 2,
  y: board.scrollTop + board.clientHeight / 2,
});

function panBoard(board: HTMLElement, { clientX, clientY }: PointerEvent): void {
  const start = { left: board.scrollLeft + clientX, top: board.scrollTop + clientY };
  const controller = new AbortController();
  const { signal } = controller;
  board.classList.add("board-panned");
  document.addEventListener(
    "pointermove",
    (event) => board.scrollTo(start.left - event.clientX, start.top - event.clientY),
    { signal },
  );
  const end = () => {
    board.classList.remove("board-panned");
    controller.abort();
  };
  document.addEventListener("pointerup", end, { signal });
  document.addEventListener("pointercancel", end, { signal });
}
