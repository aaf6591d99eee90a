// Without it a menu beyond the edge of its board is scrolled to by hand; with it the board scrolls to the whole menu.

export function enhanceNoteMenus(): void {
  // Toggle events do not bubble, so the listener captures.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches(".note-menu")) return;
      target.querySelector(".menu-sheet")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    true,
  );
}
