// Without it the bell opens the page of reminders; with it a popover shows what is due and upcoming.

import { fetchPart, loadStyles } from "#app/enhance/page-part.ts";

export function enhanceBellPopover(): void {
  const bell = document.querySelector<HTMLAnchorElement>("[data-bell]");
  if (!bell || bell.hasAttribute("aria-current") || !("popover" in bell)) return;
  let popover: HTMLElement | null = null;
  let wasOpen = false;
  // A press outside the popover, also one on the bell, closes it before the click arrives.
  bell.addEventListener("pointerdown", () => {
    wasOpen = popover?.matches(":popover-open") ?? false;
  });
  bell.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const isClosing = wasOpen || popover?.matches(":popover-open");
    wasOpen = false;
    popover?.remove();
    popover = null;
    if (isClosing) return;
    popover = await fetchBellPopover(bell);
    if (!popover) return location.assign(bell.href);
    bell.after(popover);
    popover.showPopover();
    popover.focus();
  });
}

async function fetchBellPopover(bell: HTMLAnchorElement): Promise<HTMLElement | null> {
  const page = await fetchPart(bell.pathname, "#content");
  const title = page?.querySelector("h1");
  const lists = page?.querySelector(".sections, .empty");
  if (!page || !title || !lists) return null;
  await loadStyles(page);
  // Done reminders are shown only on the page of reminders.
  for (const done of [...lists.querySelectorAll("section")].slice(2)) done.remove();
  for (const next of lists.querySelectorAll<HTMLInputElement>("input[name=next]"))
    next.value = location.pathname + location.search;
  const popover = document.createElement("div");
  Object.assign(popover, {
    className: "surface bell-popover flush pad-4 lifted ink",
    popover: "auto",
    tabIndex: -1,
  });
  popover.setAttribute("role", "dialog");
  popover.setAttribute("aria-label", title.textContent);
  const all = document.createElement("a");
  Object.assign(all, {
    href: bell.pathname,
    textContent: title.textContent,
    className: "strong pad-block-1",
  });
  popover.append(all, lists);
  popover.addEventListener("toggle", (event) =>
    bell.setAttribute("aria-expanded", String(event.newState === "open")),
  );
  return popover;
}
