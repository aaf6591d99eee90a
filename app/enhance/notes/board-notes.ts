// Without it a new note is placed by the fields of its form; with it by a double-click, or by N at the pointer or in the middle. A click on
// the empty board closes it.
import { findBoardSurface, readZoom } from "#app/enhance/notes/note-box.ts";
import { requireElement } from "#app/enhance/require-element.ts";

const EDGE_PX = 12;
const DOUBLE_CLICK_MS = 500;

export function enhanceNewBoardNotes(): void {
  const surface = findBoardSurface();
  const add = document.querySelector<HTMLAnchorElement>("[data-board-add]");
  if (!surface || !add) return;
  document.querySelector("[data-board-spot]")?.classList.remove("needs-script");
  let pointer: MouseEvent | null = null;
  surface.addEventListener("pointermove", (event) => {
    pointer = event;
  });
  surface.addEventListener("pointerleave", () => {
    pointer = null;
  });
  surface.addEventListener("dblclick", (event) => {
    if (event.target === surface && isSurface(surface)) void openNoteAt(surface, add.href, event);
  });
  closeNoteOnBoardClick(requireElement(document, ".board"));
  add.addEventListener("click", (event) => {
    // The shortcut clicks it without a mouse button (detail 0); a real click opens the full form.
    if (event.detail > 0 || !isSurface(surface)) return;
    event.preventDefault();
    void openNoteAt(surface, add.href, pointer ?? findMiddle(requireElement(document, ".board")));
  });
}

function closeNoteOnBoardClick(board: HTMLElement): void {
  let pressed: EventTarget | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  board.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
    clearTimeout(timer);
  });
  board.addEventListener("click", ({ target, detail }) => {
    // Selecting text beyond the edge of a card also ends in a click on the board.
    if (detail !== 1 || target !== pressed || !(target instanceof Element)) return;
    if (target.closest(".note, a, button") || !document.querySelector(".note-writing")) return;
    timer = setTimeout(async () => {
      const { closeNewNote } = await import("#app/enhance/notes/new-note.ts");
      await closeNewNote();
    }, DOUBLE_CLICK_MS);
  });
}

type Spot = Pick<MouseEvent, "clientX" | "clientY">;

function findMiddle(board: Element): Spot {
  const { left, right, top, bottom } = board.getBoundingClientRect();
  const [from, to] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  return { clientX: (left + right) / 2, clientY: (from + to) / 2 };
}

/** On a small screen a board is a list, and notes have no position. */
const isSurface = (surface: HTMLElement) => getComputedStyle(surface).position === "relative";

async function openNoteAt(surface: HTMLElement, form: string, { clientX, clientY }: Spot): Promise<void> {
  const { left, right, top } = surface.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(surface).direction === "rtl";
  const zoom = readZoom(surface);
  const x = Math.max(0, Math.round((isRightToLeft ? right - clientX : clientX - left) / zoom));
  const y = Math.max(0, Math.round((clientY - top) / zoom));
  const { openNewNote } = await import("#app/enhance/notes/new-note.ts");
  await openNewNote({
    form,
    fields: { x: String(x), y: String(y) },
    put: (card) => {
      surface.append(card);
      const moveCard = (position: { x: number; y: number }) => {
        Object.assign(card.style, {
          insetInlineStart: `${position.x}px`,
          insetBlockStart: `${position.y}px`,
        });
        for (const name of ["x", "y"] as const)
          requireElement<HTMLInputElement>(card, `input[name=${name}]`).value = String(position[name]);
      };
      moveCard({ x, y });
      const beyond = measureOverflow(card, requireElement(document, ".board"));
      moveCard({
        x: Math.max(0, Math.round(x - beyond.inline / zoom)),
        y: Math.max(0, Math.round(y - beyond.block / zoom)),
      });
    },
    isOneOfMany: true,
    onSaved: async (id) => {
      // The page reloads at the note.
      history.replaceState(null, "", `#note-${id}`);
      location.reload();
    },
  });
}

/** How far a card reaches beyond the visible board, where a note would be cut off. */
function measureOverflow(card: HTMLElement, board: HTMLElement): { inline: number; block: number } {
  const [inner, outer] = [card.getBoundingClientRect(), board.getBoundingClientRect()];
  const isRightToLeft = getComputedStyle(board).direction === "rtl";
  const end = isRightToLeft ? outer.left - inner.left : inner.right - outer.right;
  const bottom = inner.bottom - Math.min(outer.bottom, innerHeight);
  return { inline: Math.max(0, end + EDGE_PX), block: Math.max(0, bottom + EDGE_PX) };
}
