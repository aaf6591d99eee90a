// Shared by the bar beside marked lines and the button for a new note: what is done with lines. Brought when lines are first marked.
import { hasRuns, runLines } from "#app/enhance/editor/file-runs.ts";
import { openNewNote } from "#app/enhance/notes/new-note.ts";
import { bringNoteTools } from "#app/enhance/notes/note-tools.ts";
import { refreshNotes } from "#app/enhance/notes/noted-page.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { type LineRange, writtenRange } from "#domain/text/line-range.ts";
import { PART_FIELD } from "#domain/text/text-part.ts";

/** What the bar is about now. */
let shown: { code: HTMLElement; add: HTMLAnchorElement; range: LineRange } | null = null;
let bar: HTMLElement | null = null;

export async function showLineBar(
  code: HTMLElement,
  add: HTMLAnchorElement,
  range: LineRange,
): Promise<void> {
  shown = { code, add, range };
  const tools = await bringNoteTools(add.href);
  if (!tools || document.querySelector(".note-writing")) return;
  bar ??= prepareBar(tools.querySelector<HTMLElement>(".line-bar"), code);
  if (!bar) return;
  const share = requireElement<HTMLAnchorElement>(bar, "[data-line-share]");
  const page = /^\/file\/\w+$/.exec(location.pathname)?.[0];
  share.hidden = page === undefined;
  if (page) share.href = `${page}/share?L=${writtenRange(range)}`;
  requireElement(bar, "[data-line-run]").hidden = !hasRuns();
  const copy = requireElement(bar, "[data-line-copy] > span");
  copy.textContent = bar.dataset.copy ?? "";
  bar.hidden = false;
  placeBeside(bar, code, range.from, "above");
}

function prepareBar(found: HTMLElement | null, code: HTMLElement): HTMLElement | null {
  if (!found) return null;
  code.closest(".code-box")?.after(found);
  found.dataset.copy = requireElement(found, "[data-line-copy] > span").textContent ?? "";
  const on = (selector: string, act: (event: Event) => void) =>
    requireElement(found, selector).addEventListener("click", act);
  on("[data-line-note]", () => shown && void openLineNote(shown.code, shown.add, shown.range));
  on("[data-line-copy]", () => void copyAddress(found));
  on("[data-line-run]", () => {
    hideBar();
    if (shown) void runLines(readLines(shown.range));
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideBar());
  document.addEventListener("pointerdown", ({ target }) => {
    const isHere = target instanceof Element && target.closest(".line-bar, .line-number");
    if (!isHere) hideBar();
  });
  // A press on the bar leaves the text selected.
  found.addEventListener("pointerdown", (event) => event.preventDefault());
  return found;
}

function hideBar(): void {
  if (bar) bar.hidden = true;
}

async function copyAddress(bar: HTMLElement): Promise<void> {
  if (!shown) return;
  const { from, to } = shown.range;
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

/** Opens the card of a new note beside its lines; where it cannot be had, the page with the form for it. */
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

/** Puts something at a line of the code, over the page around it. */
function placeBeside(element: HTMLElement, code: HTMLElement, line: number, side: "above" | "below"): void {
  element.removeAttribute("style");
  if (matchMedia("(width < 48rem)").matches) return;
  const at = (document.getElementById(`L${line}`) ?? code).getBoundingClientRect();
  const box = (code.closest(".code-box") ?? code).getBoundingClientRect();
  element.style.top = element.style.left = "0px";
  const own = element.getBoundingClientRect();
  const above = at.top - own.height > box.top - own.height / 2 ? at.top - own.height : at.bottom;
  const left = side === "above" ? box.left + own.height * 2 : box.right - own.width;
  element.style.top = `${(side === "above" ? above : at.bottom) - own.top}px`;
  element.style.left = `${Math.max(box.left, Math.min(left, box.right - own.width)) - own.left}px`;
}

/** The text of whole lines, without the indent that all of them have. */
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
