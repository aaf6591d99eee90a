// Without it a board is scrolled; with it, it is also zoomed by buttons or Ctrl and the wheel, and moved by dragging its empty surface.
import { boardSurface, readZoom } from "#app/enhance/notes/note-box.ts";

const STEPS: readonly number[] = [0.5, 0.67, 0.8, 1, 1.25, 1.5];

export function enhanceBoardZoom(): void {
  const surface = boardSurface();
  const board = surface?.closest<HTMLElement>(".board");
  const tools = document.querySelector<HTMLElement>("[data-board-zoom]");
  if (!surface || !board || !tools) return;
  const key = `board-zoom:${board.dataset.notes}`;
  const show = (zoom: number) => {
    surface.style.setProperty("zoom", String(zoom));
    surface.style.setProperty("--board-zoom", String(zoom));
    for (const output of tools.querySelectorAll("output")) output.textContent = `${Math.round(zoom * 100)}%`;
  };
  const step = (by: number) => {
    const before = readZoom(surface);
    const zoom = nextStep(before, by);
    const middle = readMiddle(board);
    show(zoom);
    localStorage.setItem(key, String(zoom));
    // What is in the middle of the window stays there.
    board.scrollTo(
      (middle.x * zoom) / before - board.clientWidth / 2,
      (middle.y * zoom) / before - board.clientHeight / 2,
    );
  };
  const kept = Number(localStorage.getItem(key));
  show(STEPS.find((zoom) => zoom === kept) ?? 1);
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
    if (event.target === surface && event.button === 0 && event.pointerType === "mouse") pan(board, event);
  });
}

function nextStep(zoom: number, by: number): number {
  const at = STEPS.indexOf(zoom);
  return STEPS[Math.min(Math.max((at < 0 ? STEPS.indexOf(1) : at) + by, 0), STEPS.length - 1)] ?? 1;
}

const readMiddle = (board: HTMLElement) => ({
  x: board.scrollLeft + board.clientWidth / 2,
  y: board.scrollTop + board.clientHeight / 2,
});

/** The surface follows the pointer until it is let go. */
function pan(board: HTMLElement, { clientX, clientY }: PointerEvent): void {
  const start = { left: board.scrollLeft + clientX, top: board.scrollTop + clientY };
  const listening = new AbortController();
  const { signal } = listening;
  board.classList.add("board-panned");
  document.addEventListener(
    "pointermove",
    (event) => board.scrollTo(start.left - event.clientX, start.top - event.clientY),
    { signal },
  );
  const end = () => {
    board.classList.remove("board-panned");
    listening.abort();
  };
  document.addEventListener("pointerup", end, { signal });
  document.addEventListener("pointercancel", end, { signal });
}
