// The actions for marked lines, shared by their bar and the button for a new note. Fetched when lines are first marked.
import { hasRuns, runLines } from "#app/enhance/editor/file-runs.ts";
import { openNewNote } from "#app/enhance/notes/new-note.ts";
import { loadNoteTools } from "#app/enhance/notes/note-tools.ts";
import { refreshNotes } from "#app/enhance/notes/noted-page.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { formatRange, type LineRange } from "#domain/text/line-range.ts";
import { PART_FIELD } from "#domain/text/text-part.ts";

let current: { code: HTMLElement; add: HTMLAnchorElement; range: LineRange } | null = null;
let bar: HTMLElement | null = null;

export async function showLineBar(
  code: HTMLElement,
  add: HTMLAnchorElement,
  range: LineRange,
): Promise<void> {
  current = { code, add, range };
  const tools = await loadNoteTools(add.href);
  if (!tools || document.querySelector(".note-writing")) return;
  bar ??= prepareBar(tools.querySelector<HTMLElement>(".line-bar"), code);
  if (!bar) return;
  const share = requireElement<HTMLAnchorElement>(bar, "[data-line-share]");
  const page = /^\/file\/\w+$/.exec(location.pathname)?.[0];
  share.hidden = page === undefined;
  if (page) share.href = `${page}/share?L=${formatRange(range)}`;
  requireElement(bar, "[data-line-run]").hidden = !hasRuns();
  const copy = requireElement(bar, "[data-line-copy] > span");
  copy.textContent = bar.dataset.copy ?? "";
  bar.hidden = false;
  placeBeside(bar, code, range.from, "above");
}

function prepareBar(element: HTMLElement | null, code: HTMLElement): HTMLElement | null {
  if (!element) return null;
  code.closest(".code-box")?.after(element);
  element.dataset.copy = requireElement(element, "[data-line-copy] > span").textContent ?? "";
  const on = (selector: string, act: (event: Event) => void) =>
    requireElement(element, selector).addEventListener("click", act);
  on("[data-line-note]", () => current && void openLineNote(current.code, current.add, current.range));
  on("[data-line-copy]", () => void copyAddress(element));
  on("[data-line-run]", () => {
    hideBar();
    if (current) void runLines(readLines(current.range));
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideBar());
  document.addEventListener("pointerdown", ({ target }) => {
    const isInside = target instanceof Element && target.closest(".line-bar, .line-number");
    if (!isInside) hideBar();
  });
  // A press on the bar keeps the text selected.
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}

function hideBar(): void {
  if (bar) bar.hidden = true;
}

async function copyAddress(bar: HTMLElement): Promise<void> {
  if (!current) return;
  const { from, to } = current.range;
  const address = new URL(location.href);
  address.searchParams.delete("L");
  address.searchParams.delete(PART_FIELD);
  address.hash = from === to ? `L${from}` : `L${from}-L${to}`;
  const button = requireElement(bar, "[data-line-copy]");
  const { copied = "", copyFailed = "" } = button.dataset;
  const isCopied = await navigator.clipboard?.writeText(address.href).then(
    () => true,
    () => false,
  );
  requireElement(button, "span").textContent = isCopied ? copied : copyFailed;
}

/** Opens the card of a new note beside its lines, or the page with its form if there is no card. */
export async function openLineNote(
  code: HTMLElement,
  add: HTMLAnchorElement,
  range: LineRange,
): Promise<void> {
  hideBar();
  const form = new URL(add.href);
  form.searchParams.set("L", `${range.from}-${range.to}`);
  await openNewNote({
    form: form.pathname + form.search,
    fields: { line_start: String(range.from), line_end: String(range.to) },
    put: (card) => {
      code.closest(".code-box")?.after(card);
      placeBeside(card, code, range.to, "below");
    },
    onSaved: async () => {
      if (!(await refreshNotes())) location.reload();
    },
  });
}

function placeBeside(element: HTMLElement, code: HTMLElement, line: number, side: "above" | "below"): void {
  element.removeAttribute("style");
  if (matchMedia("(width < 48rem)").matches) return;
  const lineBox = (document.getElementById(`L${line}`) ?? code).getBoundingClientRect();
  const box = (code.closest(".code-box") ?? code).getBoundingClientRect();
  element.style.top = element.style.left = "0px";
  const own = element.getBoundingClientRect();
  const above =
    lineBox.top - own.height > box.top - own.height / 2 ? lineBox.top - own.height : lineBox.bottom;
  const left = side === "above" ? box.left + own.height * 2 : box.right - own.width;
  element.style.top = `${(side === "above" ? above : lineBox.bottom) - own.top}px`;
  element.style.left = `${Math.max(box.left, Math.min(left, box.right - own.width)) - own.left}px`;
}

function readLines({ from, to }: LineRange): string {
  const lines: string[] = [];
  for (let n = from; n <= to; n += 1) {
    const line = document.getElementById(`L${n}`)?.cloneNode(true);
    if (!(line instanceof HTMLElement)) break;
    line.querySelector(".line-number")?.remove();
    lines.push((line.textContent ?? "").replace(/\n$/, ""));
  }
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => `${line.slice(common)}\n`).join("");
}
