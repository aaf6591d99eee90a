// Without it a note is resized by the fields of its form; with it also by dragging its corner.
import { dragBox, isOnSurface, listBoardNotes, saveSize } from "#app/enhance/notes/note-box.ts";

export function enhanceNoteResize(): void {
  for (const note of listBoardNotes())
    note
      .querySelector<HTMLElement>("[data-note-corner]")
      ?.addEventListener("pointerdown", (event) => resize(event, note));
}

function resize(event: PointerEvent, note: HTMLElement): void {
  if (event.button === 0 && isOnSurface(note)) event.preventDefault();
  dragBox(event, note, {
    change: ({ width, height }, inline, block) => ({ width: width + inline, height: height + block }),
    save: saveSize,
  });
}
