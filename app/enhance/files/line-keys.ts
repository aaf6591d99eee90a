// Without it every line number is a tab stop; with it they are a single one, arrows move along them, and Shift with arrows marks lines.
import { replaceMarkedLines } from "#app/enhance/files/line-range.ts";

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

export function enhanceLineKeys(): void {
  const code = document.querySelector<HTMLElement>("pre.code");
  if (!code) return;
  let current: HTMLElement | null = null;
  let anchor = 0;
  code.addEventListener("focusin", ({ target }) => {
    const number = findNumber(target);
    if (!number) return;
    // Only a visitor who tabs into a long text pays for this loop.
    if (current) current.tabIndex = -1;
    else for (const number of code.querySelectorAll<HTMLElement>(".line-number")) number.tabIndex = -1;
    current = number;
    number.tabIndex = 0;
  });
  code.addEventListener("keydown", (event) => {
    const number = findNumber(event.target);
    if (!number || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Tab" && !event.shiftKey) focusLineBar(event);
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const line = readLine(number);
    const next = document.querySelector<HTMLElement>(`#L${line + step} > .line-number`);
    if (!next) return;
    if (!event.shiftKey) anchor = 0;
    next.focus();
    if (!event.shiftKey) return;
    anchor ||= line;
    replaceMarkedLines(anchor, line + step);
  });
  document.addEventListener("keydown", (event) => {
    const isBack = event.key === "Escape" || (event.key === "Tab" && event.shiftKey);
    const { activeElement } = document;
    if (!isBack || !current || !activeElement?.closest(".line-bar")) return;
    if (event.key === "Tab" && activeElement !== findFirstTool()) return;
    event.preventDefault();
    current.focus();
  });
}

const findNumber = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>(".line-number") : null;

const readLine = (number: Element) => Number(number.closest(".line")?.id.slice(1));

const findFirstTool = () =>
  document.querySelector<HTMLElement>(".line-bar:not([hidden]) > :is(a, button):not([hidden])");

/** Moves the focus from a line to the bar with its actions, before anything else in the code that can have the focus. */
function focusLineBar(event: KeyboardEvent): void {
  const tool = findFirstTool();
  if (!tool) return;
  event.preventDefault();
  tool.focus();
}
