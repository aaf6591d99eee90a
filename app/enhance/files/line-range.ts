// Without it a line number loads the page with that line marked, and `?L=4-8` marks a range; with it `#L4-L8`, shift-click and a second tap
// mark ranges too.
import { formatRange, type LineRange, parseLineRange } from "#domain/text/line-range.ts";

const MARKED = "line-marked";

export function enhanceLineRange(): void {
  const code = document.querySelector<HTMLElement>("pre.code");
  if (!code) return;
  setHashToWholeRange();
  if (openPartWithLine()) return;
  code.addEventListener("click", markClickedLine);
  window.addEventListener("hashchange", () => openPartWithLine() || markLinesFromHash(code));
  if (location.hash === "") code.querySelector(`.${MARKED}`)?.scrollIntoView({ block: "center" });
  else {
    markLinesFromHash(code);
    scrollToFirstLine();
  }
}

export const readMarkedLines = (): LineRange | null => parseLineRange(location.hash.slice(1));

/** Without scripts the address of a range names its first line after `#`, so that it is in view; here the hash names the whole range. */
function setHashToWholeRange(): void {
  const range = parseLineRange(new URLSearchParams(location.search).get("L"));
  const hashRange = readMarkedLines();
  if (!range || hashRange?.from !== range.from || hashRange.to !== range.from || range.to === range.from)
    return;
  history.replaceState(history.state, "", `#L${range.from}-L${range.to}`);
}

/** Opens the part of a long text that has the line, by `?L=`. */
function openPartWithLine(): boolean {
  const range = readMarkedLines();
  const lines = Number(document.querySelector<HTMLElement>("[data-code-lines]")?.dataset.codeLines ?? 0);
  if (!range || range.from > lines || document.getElementById(`L${range.from}`)) return false;
  const address = new URL(location.href);
  address.searchParams.set("L", formatRange(range));
  if (address.href === location.href) return false;
  location.replace(address);
  return true;
}

/** With Shift, or by the second of two taps, the range reaches from the line marked before to this one. The page does not scroll. */
function markClickedLine(event: MouseEvent): void {
  const { target } = event;
  const number = target instanceof Element && target.closest<HTMLAnchorElement>(".line-number");
  if (!number || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const start = readMarkedLines();
  const isSecondTap = matchMedia("(pointer: coarse)").matches && start?.from === start?.to;
  const line = number.hash.slice(1);
  setHashWithoutScroll(start && (event.shiftKey || isSecondTap) ? `L${start.from}-${line}` : line);
}

/** Marks other lines without a step in the history. */
export function replaceMarkedLines(from: number, to: number): void {
  const hash = from === to ? `#L${from}` : `#L${Math.min(from, to)}-L${Math.max(from, to)}`;
  if (document.querySelector(".line:target")) {
    location.replace(hash);
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new Event("hashchange"));
}

/**
 * `pushState` changes the hash without scrolling but leaves `:target` on the old line. If a line is `:target`, the hash is assigned,
 * although that scrolls.
 */
function setHashWithoutScroll(hash: string): void {
  if (document.querySelector(".line:target")) {
    location.hash = hash;
    return;
  }
  history.pushState(null, "", `#${hash}`);
  window.dispatchEvent(new Event("hashchange"));
}

function markLinesFromHash(code: Element): void {
  const range = readMarkedLines();
  if (!range) return;
  for (const edit of document.querySelectorAll<HTMLAnchorElement>('a[href^="/edit/"]'))
    edit.hash = `L${range.from}`;
  for (const share of document.querySelectorAll<HTMLAnchorElement>("a[data-share]")) {
    const address = new URL(share.href);
    address.searchParams.set("L", formatRange(range));
    share.href = address.href;
  }
  for (const line of code.querySelectorAll(`.${MARKED}`)) line.classList.remove(MARKED);
  for (let n = range.from; n <= range.to; n += 1) {
    const line = document.getElementById(`L${n}`);
    if (!line) break;
    line.classList.add(MARKED);
  }
  // A range that was typed into the address or reached by Back may be out of view; one being marked has an end in view.
  const ends = [range.from, range.to].map((n) => document.getElementById(`L${n}`));
  if (!ends.some(isInSight)) scrollToFirstLine();
}

/** The browser scrolls to a single line itself, but no element has the name of a range. */
function scrollToFirstLine(): void {
  const range = readMarkedLines();
  if (range && range.from !== range.to)
    document.getElementById(`L${range.from}`)?.scrollIntoView({ block: "center" });
}

function isInSight(line: HTMLElement | null): boolean {
  if (!line) return false;
  const { top, bottom } = line.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
