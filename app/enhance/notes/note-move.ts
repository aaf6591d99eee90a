// Without it another board is chosen on a page of its own; with it in a dialog over the board, or by dragging onto its tab.
import { EdgeScroll, measureMarginDepth } from "#app/enhance/notes/edge-scroll.ts";
import { saveNow } from "#app/enhance/notes/note-saves.ts";
import { fetchPart } from "#app/enhance/page-part.ts";
import { openSheet } from "#app/enhance/sheet.ts";
import { showToast } from "#app/enhance/toast.ts";

const OVER = "board-over";

export function enhanceNoteMove(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("[data-note-move]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void openBoardChooser(link);
  });
}

async function openBoardChooser(link: HTMLAnchorElement): Promise<void> {
  // A position that waits to be saved belongs to this board and must not be written after the move.
  await saveNow();
  const menu = link.closest("details");
  const path = link.pathname + link.search;
  const sheet = await openSheet(path, "[data-board-move]", `${path}&part=notes`);
  if (!sheet) return;
  if (menu) menu.open = false;
  sheet.closest("dialog")?.addEventListener("close", () => menu?.querySelector("summary")?.focus());
  sheet.querySelector<HTMLElement>("[name=intent]")?.focus();
}

export function findBoardTabAt({ clientX, clientY }: PointerEvent): HTMLElement | null {
  return document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-board-drop]") ?? null;
}

const stripScroll = new EdgeScroll();

/** Scrolls the strip of tabs while the pointer is at one of its ends. `look` is called when other tabs have come under the pointer. */
export function scrollBoardTabs({ clientX, clientY }: PointerEvent, look: () => void): void {
  stripScroll.stopScrolling();
  const strip = document.querySelector<HTMLElement>(".board-tabs");
  if (!strip) return;
  const { left, right, top, bottom } = strip.getBoundingClientRect();
  if (clientY < top || clientY > bottom) return;
  stripScroll.startScrolling(strip, { x: measureMarginDepth(clientX, left, right), y: 0 }, look);
}

export const stopScrollingBoards = (): void => stripScroll.stopScrolling();

export function markBoardTab(board: HTMLElement | null): void {
  for (const element of document.querySelectorAll(`.${OVER}`)) element.classList.remove(OVER);
  board?.classList.add(OVER);
}

/** Moves a note and shows the next page's message here, so that the board keeps its scroll position. */
export async function moveNote(note: HTMLElement, boardId: string): Promise<void> {
  await saveNow();
  const path = `/note/${note.dataset.note}`;
  const next = `${location.pathname}?part=notes`;
  const body = new URLSearchParams({ intent: `move:${boardId}`, next });
  const page = await fetchPart(path, "body", { body });
  const notices = page?.querySelector<HTMLElement>(".notices");
  if (!page || !notices) {
    location.reload();
    return;
  }
  for (const field of notices.querySelectorAll<HTMLInputElement>("input[name=next]"))
    field.value = location.pathname;
  if (notices.querySelector(`form[action="${path}"]`)) {
    note.remove();
    const empty = page.querySelector(".board > .empty");
    if (empty) document.querySelector(".board")?.prepend(empty);
  }
  showToast(notices);
}
