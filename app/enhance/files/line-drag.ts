// Without it a drag over line numbers drags a link; with it a mouse marks the lines that it passes.
import { replaceMarkedLines } from "#app/enhance/files/line-range.ts";
import { EdgeScroll, measureMarginDepth } from "#app/enhance/notes/edge-scroll.ts";

export function enhanceLineDrag(): void {
  const code = document.querySelector<HTMLElement>("pre.code");
  if (!code) return;
  code.addEventListener("pointerdown", (event) => {
    const number = findNumber(event.target);
    const isPlain = !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey);
    if (number && isPlain && event.pointerType === "mouse" && event.button === 0) markLinesByDragging(number);
  });
}

/** Follows the mouse until it is released. A press that stays on its line becomes a click. */
function markLinesByDragging(number: HTMLElement): void {
  const ending = new AbortController();
  const { signal } = ending;
  const edge = new EdgeScroll();
  const anchor = readLine(number);
  const { left, width } = number.getBoundingClientRect();
  let last = anchor;
  const mark = (y: number) => {
    const line = findLineNumberAt(left + width / 2, y);
    if (line === 0 || line === last) return;
    last = line;
    replaceMarkedLines(anchor, line);
  };
  const end = () => {
    edge.stopScrolling();
    ending.abort();
  };
  const move = ({ buttons, clientY }: PointerEvent) => {
    if ((buttons & 1) === 0) return end();
    mark(clientY);
    const into = { x: 0, y: last === anchor ? 0 : measureMarginDepth(clientY, 0, window.innerHeight) };
    edge.startScrolling(document.documentElement, into, () => mark(clientY));
  };
  document.addEventListener("pointermove", move, { signal });
  for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, end, { signal });
  // The browser's own drag of the link would end the pointer events.
  document.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
}

const findNumber = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(".line-number") : null;

const readLine = (number: Element) => Number(number.closest(".line")?.id.slice(1));

/** The line at a point, even if something covers it; 0 if there is none. A point off the screen counts as its nearest edge. */
function findLineNumberAt(x: number, y: number): number {
  const height = Math.max(0, Math.min(y, window.innerHeight - 1));
  const line = document.elementsFromPoint(x, height).find((element) => element.matches(".line-number"));
  return line ? readLine(line) : 0;
}
