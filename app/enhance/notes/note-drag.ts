// Without it a note is put elsewhere by the fields of its form; with it by dragging its head, on touch screens its grip.
import { boardNotes, dragBox, savePosition } from "#app/enhance/notes/note-box.ts";

export function enhanceNoteDrag(): void {
  for (const note of boardNotes()) {
    const grip = note.querySelector<HTMLElement>("[data-note-grip]");
    grip?.classList.remove("needs-script");
    grip?.addEventListener("pointerdown", (event) => drag(event, note));
    note
      .querySelector<HTMLElement>("[data-note-handle]")
      ?.addEventListener("pointerdown", (event) => event.pointerType === "mouse" && drag(event, note));
  }
}

function drag(event: PointerEvent, note: HTMLElement): void {
  dragBox(event, note, {
    change: ({ x, y }, inline, block) => ({ x: x + inline, y: y + block }),
    save: savePosition,
  });
}
