// Without it Back restores the scroll position; with it the link that was followed also gets the focus again.

const getLinkKey = () => `left:${location.pathname}${location.search}`;

export function enhanceBackFocus(): void {
  // A page from the back/forward cache still has its focus.
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && entry.type === "back_forward") focusFollowedLink();
  window.addEventListener("pagehide", () => {
    const link = document.activeElement?.closest("main a[href]")?.getAttribute("href");
    if (link) sessionStorage.setItem(getLinkKey(), link);
    else sessionStorage.removeItem(getLinkKey());
  });
}

function focusFollowedLink(): void {
  const href = sessionStorage.getItem(getLinkKey());
  const link = href && document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
  if (link) link.focus({ preventScroll: true });
}
