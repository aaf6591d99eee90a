// Without it a note's marker leads down to the note; with it, where notes are below the code, they come up over it.

const BELOW = "(width < 76rem)";

export function enhanceNoteSheet(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    const marker = target instanceof Element ? target.closest<HTMLAnchorElement>("a.line-note") : null;
    const place = marker?.closest<HTMLElement>(".noted");
    if (!marker || !place || event.ctrlKey || event.metaKey || !matchMedia(BELOW).matches) return;
    event.preventDefault();
    openNotes(place, marker);
  });
}

/** The notes themselves move into the sheet and back, so that they can be edited, ticked and coloured there. */
function openNotes(place: HTMLElement, marker: HTMLAnchorElement): void {
  const first = document.getElementById(marker.hash.slice(1));
  const line = marker.closest(".line")?.id;
  const notes = [...place.querySelectorAll<HTMLElement>(".noted-list > .note")].filter(
    (note) => note === first || note.querySelector(`.note-place[href$="#${line}"]`),
  );
  if (notes.length === 0) return;
  const sheet = document.createElement("dialog");
  sheet.className = "surface note-sheet";
  sheet.setAttribute("aria-label", marker.getAttribute("aria-label") ?? "");
  place.append(sheet);
  const returns = notes.map((note) => {
    const gap = document.createComment("");
    note.replaceWith(gap);
    return () => gap.replaceWith(note);
  });
  sheet.append(...notes);
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
  // Escape in a note that is written ends the writing first.
  sheet.addEventListener("cancel", (event) => sheet.querySelector(".note-form") && event.preventDefault());
  sheet.addEventListener("close", () => {
    for (const giveBack of returns) giveBack();
    sheet.remove();
    marker.focus({ preventScroll: true });
  });
  sheet.showModal();
}
