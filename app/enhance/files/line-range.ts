// Without it a line's number links to the line and `?L=4-8` marks a range; with it `#L4-L8` and shift-click do too.
import { parseLineRange } from "#domain/text/line-range.ts";

const MARKED = "line-marked";

export function enhanceLineRange(): void {
  const code = document.querySelector<HTMLElement>(".code");
  if (!code) return;
  code.addEventListener("click", extend);
  window.addEventListener("hashchange", () => markHash(code));
  if (location.hash === "") code.querySelector(`.${MARKED}`)?.scrollIntoView({ block: "center" });
  else markHash(code);
}

/** With shift, the range reaches from the line marked last to the one clicked. */
function extend(event: MouseEvent): void {
  const { target } = event;
  const number = target instanceof Element && target.closest<HTMLAnchorElement>(".line-number");
  const start = parseLineRange(location.hash.slice(1));
  if (!number || !start || !event.shiftKey) return;
  event.preventDefault();
  location.hash = `L${start.from}-${number.hash.slice(1)}`;
}

function markHash(code: Element): void {
  const range = parseLineRange(location.hash.slice(1));
  if (!range) return;
  for (const line of code.querySelectorAll(`.${MARKED}`)) line.classList.remove(MARKED);
  for (let n = range.from; n <= range.to; n += 1) {
    const line = document.getElementById(`L${n}`);
    if (!line) break;
    line.classList.add(MARKED);
  }
  // The browser itself scrolls to a single line; a range has no element of its name.
  if (range.from !== range.to) document.getElementById(`L${range.from}`)?.scrollIntoView({ block: "center" });
}
