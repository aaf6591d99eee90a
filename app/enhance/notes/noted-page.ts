// Shared by what writes notes beside code: brings the notes of a page as the server has them now. The code itself stays.
import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { fetchPart, loadStyles } from "#app/enhance/page-part.ts";

/** Where notes are and their papers. A page lets no other styles in than its own, so these rules come as a sheet made here. */
const rules = new CSSStyleSheet();

/** False where the notes cannot be had now. */
export async function refreshNotes(): Promise<boolean> {
  const fresh = await fetchNotes(".noted, .code-box");
  const box = document.querySelector<HTMLElement>(".code-box");
  const here = document.querySelector<HTMLElement>(".noted");
  if (!fresh || !box) return false;
  if (here ? describeNotes(here) === describeNotes(fresh) : !fresh.matches(".noted")) return true;
  const list = fresh.querySelector(".noted-list");
  // The last note is gone.
  if (!list) location.reload();
  else {
    // A page without notes came without their styles.
    await loadStyles(fresh.ownerDocument.body);
    adoptRules(fresh);
    markLines(fresh);
    if (here) replaceNotes(here, fresh, list);
    else wrapCode(box, fresh);
    enhanceLocalTime();
  }
  return true;
}

/** Notes with the same description are the same, with the same texts. */
function describeNotes(place: HTMLElement): string {
  const notes = [...place.querySelectorAll<HTMLElement>(".note[data-note]:not(.note-writing)")];
  return notes.map(({ dataset }) => `${dataset.note} ${dataset.updated}`).join();
}

function replaceNotes(here: Element, fresh: HTMLElement, list: Element): void {
  here.className = fresh.className;
  here.querySelector(".noted-list")?.replaceWith(list);
  for (const fold of here.querySelectorAll(":scope > .note-fold")) fold.remove();
  here.prepend(...fresh.querySelectorAll(":scope > .note-fold"));
}

/** The part of this page that has the notes. Their forms lead back to the page as it is here. */
async function fetchNotes(selector: string): Promise<HTMLElement | null> {
  const address = new URL(location.href);
  address.searchParams.set("part", "notes");
  const part = await fetchPart(address.pathname + address.search, selector);
  for (const next of part?.querySelectorAll<HTMLInputElement>("input[name=next]") ?? [])
    next.value = location.pathname + location.search;
  return part;
}

function adoptRules(part: HTMLElement): void {
  for (const former of document.querySelectorAll("style[data-note-places]")) former.remove();
  rules.replaceSync(
    part.ownerDocument.querySelector<HTMLElement>("[data-note-rules]")?.dataset.noteRules ?? "",
  );
  if (!document.adoptedStyleSheets.includes(rules))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
}

function markLines(fresh: HTMLElement): void {
  for (const marker of document.querySelectorAll(".code .line-note")) marker.remove();
  for (const marker of fresh.querySelectorAll(".line-note"))
    document.getElementById(marker.closest(".line")?.id ?? "")?.prepend(marker);
}

/** The first note of a file: from now on there is a place for notes around the code. */
function wrapCode(box: HTMLElement, fresh: HTMLElement): void {
  const { scrollLeft } = box;
  // What stands around the code is on this page already.
  for (const around of fresh.querySelectorAll(":scope > :is(.alert, .plain-reason, .code-parts)"))
    around.remove();
  box.closest(".outlined")?.classList.add("outlined-noted");
  box.before(fresh);
  fresh.querySelector(".code-box")?.replaceWith(box);
  box.scrollLeft = scrollLeft;
}
