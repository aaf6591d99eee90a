// Without it a line's number asks for the page with that line marked, and `?L=4-8` marks a range; with it `#L4-L8`, shift-click and a second tap do too.
import { type LineRange, parseLineRange, writtenRange } from "#domain/text/line-range.ts";

const MARKED = "line-marked";

export function enhanceLineRange(): void {
  const code = document.querySelector<HTMLElement>("pre.code");
  if (!code) return;
  nameWholeRange();
  if (openOtherPart()) return;
  code.addEventListener("click", choose);
  window.addEventListener("hashchange", () => openOtherPart() || markHash(code));
  if (location.hash === "") code.querySelector(`.${MARKED}`)?.scrollIntoView({ block: "center" });
  else {
    markHash(code);
    showFirstLine();
  }
}

/** What the address marks. */
export const readMarkedLines = (): LineRange | null => parseLineRange(location.hash.slice(1));

/** Without scripts an address of a range has to name its first line after `#`, so that it is in view; here the range itself is named. */
function nameWholeRange(): void {
  const asked = parseLineRange(new URLSearchParams(location.search).get("L"));
  const named = readMarkedLines();
  if (!asked || named?.from !== asked.from || named.to !== asked.from || asked.to === asked.from) return;
  history.replaceState(history.state, "", `#L${asked.from}-L${asked.to}`);
}

/** A line of a long text that this page does not have is on the page that `?L=` asks for. */
function openOtherPart(): boolean {
  const range = readMarkedLines();
  const lines = Number(document.querySelector<HTMLElement>("[data-code-lines]")?.dataset.codeLines ?? 0);
  if (!range || range.from > lines || document.getElementById(`L${range.from}`)) return false;
  const address = new URL(location.href);
  address.searchParams.set("L", writtenRange(range));
  if (address.href === location.href) return false;
  location.replace(address);
  return true;
}

/** With shift, and by the second of two taps, the range reaches from the line marked last to this one. The page stays where it is. */
function choose(event: MouseEvent): void {
  const { target } = event;
  const number = target instanceof Element && target.closest<HTMLAnchorElement>(".line-number");
  if (!number || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const start = readMarkedLines();
  const isSecondTap = matchMedia("(pointer: coarse)").matches && start?.from === start?.to;
  const line = number.hash.slice(1);
  setHash(start && (event.shiftKey || isSecondTap) ? `L${start.from}-${line}` : line);
}

/** Marks lines in the place of those that are marked, without a step to go back to. */
export function remarkLines(one: number, other: number): void {
  const hash = one === other ? `#L${one}` : `#L${Math.min(one, other)}-L${Math.max(one, other)}`;
  if (document.querySelector(".line:target")) {
    location.replace(hash);
    return;
  }
  history.replaceState(null, "", hash);
  window.dispatchEvent(new Event("hashchange"));
}

/** A hash that is assigned scrolls to its line. It is assigned only where a line of the address before it would stay marked otherwise. */
function setHash(hash: string): void {
  if (document.querySelector(".line:target")) {
    location.hash = hash;
    return;
  }
  history.pushState(null, "", `#${hash}`);
  window.dispatchEvent(new Event("hashchange"));
}

function markHash(code: Element): void {
  const range = readMarkedLines();
  if (!range) return;
  for (const edit of document.querySelectorAll<HTMLAnchorElement>('a[href^="/edit/"]'))
    edit.hash = `L${range.from}`;
  for (const share of document.querySelectorAll<HTMLAnchorElement>("a[data-share]")) {
    const address = new URL(share.href);
    address.searchParams.set("L", writtenRange(range));
    share.href = address.href;
  }
  for (const line of code.querySelectorAll(`.${MARKED}`)) line.classList.remove(MARKED);
  for (let n = range.from; n <= range.to; n += 1) {
    const line = document.getElementById(`L${n}`);
    if (!line) break;
    line.classList.add(MARKED);
  }
  // A range that somebody typed into the address or went back to may be out of sight. One that is being marked has an end in sight.
  const ends = [range.from, range.to].map((n) => document.getElementById(`L${n}`));
  if (!ends.some(isInSight)) showFirstLine();
}

/** The browser itself scrolls to a single line; a range has no element of its name. */
function showFirstLine(): void {
  const range = readMarkedLines();
  if (range && range.from !== range.to)
    document.getElementById(`L${range.from}`)?.scrollIntoView({ block: "center" });
}

function isInSight(line: HTMLElement | null): boolean {
  if (!line) return false;
  const { top, bottom } = line.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
