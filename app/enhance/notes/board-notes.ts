// Without it a new note gets its place by the fields of its form; with it by a double-click, or by N where the pointer is, else in the middle. A click on the empty board ends it.
import { boardSurface, readZoom } from "#app/enhance/notes/note-box.ts";
import { requireElement } from "#app/enhance/require-element.ts";

const EDGE_PX = 12;
/** As long as a click may still become a double-click. */
const DOUBLE_CLICK_MS = 500;

export function enhanceBoardNotes(): void {
  const surface = boardSurface();
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
    if (event.target === surface && isSurface(surface)) void write(surface, add.href, event);
  });
  endOnClick(requireElement(document, ".board"));
  add.addEventListener("click", (event) => {
    // By the key it is pressed without a pointer's button; by the hand it leads to the whole form.
    if (event.detail > 0 || !isSurface(surface)) return;
    event.preventDefault();
    void write(surface, add.href, pointer ?? findMiddle(requireElement(document, ".board")));
  });
}

function endOnClick(board: HTMLElement): void {
  let pressed: EventTarget | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  board.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
    clearTimeout(timer);
  });
  board.addEventListener("click", ({ target, detail }) => {
    // A text that is marked beyond the edge of its card ends in a click on the board, too.
    if (detail !== 1 || target !== pressed || !(target instanceof Element)) return;
    if (target.closest(".note, a, button") || !document.querySelector(".note-writing")) return;
    timer = setTimeout(async () => {
      const { closeNewNote } = await import("#app/enhance/notes/new-note.ts");
      await closeNewNote();
    }, DOUBLE_CLICK_MS);
  });
}

type Spot = Pick<MouseEvent, "clientX" | "clientY">;

/** The middle of what is seen of the board. */
function findMiddle(board: Element): Spot {
  const { left, right, top, bottom } = board.getBoundingClientRect();
  const [from, to] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  return { clientX: (left + right) / 2, clientY: (from + to) / 2 };
}

/** On a small screen a board is a list, and a note has no spot there. */
const isSurface = (surface: HTMLElement) => getComputedStyle(surface).position === "relative";

async function write(surface: HTMLElement, form: string, { clientX, clientY }: Spot): Promise<void> {
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
      const place = (at: { x: number; y: number }) => {
        Object.assign(card.style, { insetInlineStart: `${at.x}px`, insetBlockStart: `${at.y}px` });
        for (const name of ["x", "y"] as const)
          requireElement<HTMLInputElement>(card, `input[name=${name}]`).value = String(at[name]);
      };
      place({ x, y });
      const beyond = measureBeyond(card, requireElement(document, ".board"));
      place({
        x: Math.max(0, Math.round(x - beyond.inline / zoom)),
        y: Math.max(0, Math.round(y - beyond.block / zoom)),
      });
    },
    isOneOfMany: true,
    onSaved: async (id) => {
      // The page comes again at its place, with the note among the others.
      history.replaceState(null, "", `#note-${id}`);
      location.reload();
    },
  });
}

/** How far a card is beyond the edges of what is seen of the board, where a note would be cut off. */
function measureBeyond(card: HTMLElement, board: HTMLElement): { inline: number; block: number } {
  const [inner, outer] = [card.getBoundingClientRect(), board.getBoundingClientRect()];
  const isRightToLeft = getComputedStyle(board).direction === "rtl";
  const end = isRightToLeft ? outer.left - inner.left : inner.right - outer.right;
  const bottom = inner.bottom - Math.min(outer.bottom, innerHeight);
  return { inline: Math.max(0, end + EDGE_PX), block: Math.max(0, bottom + EDGE_PX) };
}
