// Moves and resizes a note by the arrow keys on its grip. Without JavaScript only the fields of its form do that.
import {
  isOnSurface,
  isRightToLeft,
  listBoardNotes,
  readBox,
  savePosition,
  saveSize,
  setBox,
} from "#app/enhance/notes/note-box.ts";

const STEP = 10;
const LARGE_STEP = 100;

const ARROWS: Record<string, [inline: number, block: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function enhanceNoteKeys(): void {
  for (const note of listBoardNotes())
    note
      .querySelector<HTMLElement>("[data-note-grip]")
      ?.addEventListener("keydown", (event) => moveOrResizeByKey(event, note));
}

function moveOrResizeByKey(event: KeyboardEvent, note: HTMLElement): void {
  const arrow = ARROWS[event.key];
  if (!arrow || event.metaKey || !isOnSurface(note)) return;
  event.preventDefault();
  const step = event.shiftKey ? LARGE_STEP : STEP;
  const inline = arrow[0] * step * (isRightToLeft(note) ? -1 : 1);
  const block = arrow[1] * step;
  const { x, y, width, height } = readBox(note);
  if (event.altKey || event.ctrlKey) {
    setBox(note, { width: width + inline, height: height + block });
    saveSize(note);
  } else {
    setBox(note, { x: x + inline, y: y + block });
    savePosition(note);
  }
  note.scrollIntoView({ block: "nearest", inline: "nearest" });
}
