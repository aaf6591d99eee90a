// Without it every page fades into the next; with it a device on which that delays pages goes without.

const LEFT_AT = "page-left-at";
const WITHOUT = "without-transitions";
/** A page painted later than this after the previous page was left is late. */
const LATE_MS = 100;

type PageSwap = Event & { viewTransition?: { skipTransition(): void } | null };

export function enhanceTransitions(): void {
  window.addEventListener("pageswap", ({ viewTransition }: PageSwap) => {
    if (!viewTransition) return;
    if (sessionStorage.getItem(WITHOUT)) viewTransition.skipTransition();
    else sessionStorage.setItem(LEFT_AT, String(Date.now()));
  });
  const leftAt = sessionStorage.getItem(LEFT_AT);
  sessionStorage.removeItem(LEFT_AT);
  if (leftAt === null) return;
  const observer = new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (!paint) return;
    observer.disconnect();
    const paintedAt = performance.timeOrigin + paint.startTime;
    if (paintedAt - Number(leftAt) > LATE_MS) sessionStorage.setItem(WITHOUT, "1");
  });
  observer.observe({ type: "paint", buffered: true });
}
