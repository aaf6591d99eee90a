// Without it a menu that reaches over the edge of its board is scrolled to by hand; with it the board scrolls to the whole menu.

export function enhanceNoteMenus(): void {
  // A toggle does not rise, so it is caught on its way down.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open || !target.matches(".note-menu")) return;
      target.querySelector(".menu-sheet")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    true,
  );
}
