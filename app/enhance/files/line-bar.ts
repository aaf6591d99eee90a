// Without it the actions for marked lines are in the page's head; with it they are in a bar beside the lines, where a note is written too.
import { readMarkedLines } from "#app/enhance/files/line-range.ts";
import type { LineRange } from "#domain/text/line-range.ts";

const SETTLE_MS = 250;

export function enhanceLineBar(): void {
  const code = document.querySelector<HTMLElement>("pre.code");
  const add = document.querySelector<HTMLAnchorElement>("[data-note-add]");
  if (!code || !add) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const range = readSelectedLines(code);
      if (range) void showBarForRange(code, add, range);
    }, SETTLE_MS);
  });
  window.addEventListener("hashchange", () => void showBarForRange(code, add, readMarkedLines()));
  add.addEventListener("click", (event) => {
    const range = readMarkedLines();
    if (!range || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void loadTools().then((tools) => tools.openLineNote(code, add, range));
  });
}

const loadTools = () => import("#app/enhance/files/line-tools.ts");

async function showBarForRange(
  code: HTMLElement,
  add: HTMLAnchorElement,
  range: LineRange | null,
): Promise<void> {
  if (range) await (await loadTools()).showLineBar(code, add, range);
}

function readSelectedLines(code: HTMLElement): LineRange | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!code.contains(range.startContainer) || !code.contains(range.endContainer)) return null;
  const from = findLineNumber(range.startContainer);
  const last = findLineNumber(range.endContainer);
  if (!from || !last) return null;
  // A selection that ends before a line's first letter does not include that line.
  const to = last > from && endsAtLineStart(range) ? last - 1 : last;
  return { from, to };
}

function findLineNumber(node: Node): number {
  const element = node instanceof Element ? node : node.parentElement;
  return Number(element?.closest(".line")?.id.slice(1) ?? 0);
}

function endsAtLineStart({ endContainer, endOffset }: Range): boolean {
  const line = endContainer.parentElement?.closest(".line");
  if (endOffset === 0 && endContainer.parentElement === line) return true;
  return endContainer instanceof Element && endContainer.matches(".line") && endOffset <= 1;
}
