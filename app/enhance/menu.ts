// Without it a menu is closed by its button; with it also by Escape and by a click elsewhere.

export function enhanceMenus(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    for (const menu of findOpenMenus())
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of findOpenMenus()) {
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus) menu.querySelector("summary")?.focus();
    }
  });
}

function findOpenMenus(): NodeListOf<HTMLDetailsElement> {
  return document.querySelectorAll<HTMLDetailsElement>("details.menu[open]");
}
