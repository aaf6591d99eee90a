// Without it Back shows a page as far scrolled as it was left; with it the link that was followed from there has the focus again, too.

const leftKey = () => `left:${location.pathname}${location.search}`;

export function enhanceBack(): void {
  // A page that the browser kept whole has its focus already.
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && entry.type === "back_forward") focusLeft();
  window.addEventListener("pagehide", () => {
    const link = document.activeElement?.closest("main a[href]")?.getAttribute("href");
    if (link) sessionStorage.setItem(leftKey(), link);
    else sessionStorage.removeItem(leftKey());
  });
}

function focusLeft(): void {
  const left = sessionStorage.getItem(leftKey());
  const link = left && document.querySelector<HTMLElement>(`main a[href="${CSS.escape(left)}"]`);
  if (link) link.focus({ preventScroll: true });
}
