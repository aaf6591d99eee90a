// Without it a note is put elsewhere by the fields of its form; with it by dragging its head, on touch screens its grip.
import {
  boardNotes,
  follow,
  isOnSurface,
  readBox,
  savePosition,
  setBox,
} from "#app/enhance/notes/note-box.ts";

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
  if (event.button !== 0 || !isOnSurface(note)) return;
  const start = readBox(note);
  let moved = false;
  follow(
    event,
    note,
    (inline, block) => {
      moved = true;
      setBox(note, { x: start.x + inline, y: start.y + block });
    },
    () => moved && savePosition(note),
  );
}
