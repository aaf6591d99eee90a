// Without it a note's marker leads down to the note; with it, on screens with notes below the code, they open in a sheet over it.

const BELOW = "(width < 76rem)";

export function enhanceNoteSheet(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    const marker = target instanceof Element ? target.closest<HTMLAnchorElement>("a.line-note") : null;
    const noted = marker?.closest<HTMLElement>(".noted");
    if (!marker || !noted || event.ctrlKey || event.metaKey || !matchMedia(BELOW).matches) return;
    event.preventDefault();
    openNotesSheet(noted, marker);
  });
}

/** Moves the notes themselves into the sheet and back, so that they can be edited, ticked and coloured there. */
function openNotesSheet(noted: HTMLElement, marker: HTMLAnchorElement): void {
  const first = document.getElementById(marker.hash.slice(1));
  const line = marker.closest(".line")?.id;
  const notes = [...noted.querySelectorAll<HTMLElement>(".noted-list > .note")].filter(
    (note) => note === first || note.querySelector(`.note-place[href$="#${line}"]`),
  );
  if (notes.length === 0) return;
  const sheet = document.createElement("dialog");
  sheet.className = "surface note-sheet full";
  sheet.setAttribute("aria-label", marker.getAttribute("aria-label") ?? "");
  noted.append(sheet);
  const restores = notes.map((note) => {
    const gap = document.createComment("");
    note.replaceWith(gap);
    return () => gap.replaceWith(note);
  });
  sheet.append(...notes);
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  // Escape in a note being edited ends the editing first.
  sheet.addEventListener("cancel", (event) => sheet.querySelector(".note-form") && event.preventDefault());
  sheet.addEventListener("close", () => {
    for (const restore of restores) restore();
    sheet.remove();
    marker.focus({ preventScroll: true });
  });
  sheet.showModal();
}
