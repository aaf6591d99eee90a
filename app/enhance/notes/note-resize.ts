// Without it a note gets its size from the fields of its form; with it also by dragging its corner.
import { boardNotes, follow, isOnSurface, readBox, saveSize, setBox } from "#app/enhance/notes/note-box.ts";

export function enhanceNoteResize(): void {
  for (const note of boardNotes())
    note
      .querySelector<HTMLElement>("[data-note-corner]")
      ?.addEventListener("pointerdown", (event) => resize(event, note));
}

function resize(event: PointerEvent, note: HTMLElement): void {
  if (event.button !== 0 || !isOnSurface(note)) return;
  event.preventDefault();
  const start = readBox(note);
  let moved = false;
  follow(
    event,
    note,
    (inline, block) => {
      moved = true;
      setBox(note, { width: start.width + inline, height: start.height + block });
    },
    () => moved && saveSize(note),
  );
}
