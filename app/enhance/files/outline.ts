// Without it the outline is a list of links that load the page at their line; with it the page stays, the section being read is marked, and
// a folded list stays folded.

const FOLDED_KEY = "outline-folded";
const WIDE = "(width >= 76rem)";
/** The part of the screen above the reader's line; linked lines stop a little higher. */
const READING_SHARE = 0.25;
const READING_MIN_PX = 200;

export function enhanceOutline(): void {
  const details = document.querySelector<HTMLDetailsElement>("details[data-outline]");
  if (!details) return;
  applyFolding(details);
  details.addEventListener("click", goToLine);
  highlightCurrentEntry(details);
}

/** Jumps to a line that this page shows, without loading another page. */
function goToLine(event: MouseEvent): void {
  const { target } = event;
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[data-line]");
  if (!link || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!document.getElementById(link.hash.slice(1))) return;
  event.preventDefault();
  location.hash = link.hash;
}

/** Beside the code the list is open until it is folded, then folded on every file; above the code it is folded. */
function applyFolding(details: HTMLDetailsElement): void {
  const wide = matchMedia(WIDE);
  const setOpen = (open: boolean) => {
    details.open = open;
    details.toggleAttribute("data-folded", !open);
  };
  const apply = () => setOpen(wide.matches && localStorage.getItem(FOLDED_KEY) !== "1");
  apply();
  wide.addEventListener("change", apply);
  details.querySelector("summary")?.addEventListener("click", (event) => {
    event.preventDefault();
    setOpen(!details.open);
    if (wide.matches) localStorage.setItem(FOLDED_KEY, details.open ? "" : "1");
  });
}

function highlightCurrentEntry(details: HTMLDetailsElement): void {
  const links = [...details.querySelectorAll<HTMLAnchorElement>("a[data-line]")];
  // A cut list ends at a line without a link. A page of a long file has only some of the lines.
  const numbers = [...links.map((link) => link.dataset.line), details.dataset.endLine];
  const entries = numbers.flatMap((number, i) => {
    const line = document.getElementById(`L${number}`);
    return line ? [{ line, link: links[i] }] : [];
  });
  const lines = entries.map(({ line }) => line);
  let current: HTMLAnchorElement | undefined;
  let waits = false;
  const update = () => {
    waits = false;
    const next = details.open ? entries[findReadLine(lines)]?.link : undefined;
    if (next === current) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "location");
    current = next;
    if (next) keepInView(next, details);
  };
  const updateSoon = () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(update);
  };
  document.addEventListener("scroll", updateSoon, { passive: true });
  details.addEventListener("toggle", updateSoon);
  updateSoon();
}

/** The index of the last line at or above the reader's line; -1 if all are below. */
function findReadLine(lines: readonly Element[]): number {
  const limit = Math.max(READING_MIN_PX, innerHeight * READING_SHARE);
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.getBoundingClientRect().top ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Scrolls only the list, never the page. */
function keepInView(link: HTMLElement, details: HTMLElement): void {
  const list = details.querySelector("ol");
  if (!list) return;
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
