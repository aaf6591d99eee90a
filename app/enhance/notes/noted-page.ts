// Refreshes the notes beside code from the server. The code itself stays.
import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { fetchPart, loadStyles } from "#app/enhance/page-part.ts";

/** The positions and colours of the notes. A page admits only its own styles, so these rules go into a sheet made here. */
const rules = new CSSStyleSheet();

export async function refreshNotes(): Promise<boolean> {
  const fresh = await fetchNotes(".noted, .code-box");
  const box = document.querySelector<HTMLElement>(".code-box");
  const current = document.querySelector<HTMLElement>(".noted");
  if (!fresh || !box) return false;
  if (current ? joinNoteVersions(current) === joinNoteVersions(fresh) : !fresh.matches(".noted")) return true;
  const list = fresh.querySelector(".noted-list");
  if (!list) location.reload();
  else {
    // A page without notes was served without their styles.
    await loadStyles(fresh.ownerDocument.body);
    adoptNoteRules(fresh);
    replaceLineMarkers(fresh);
    if (current) replaceNotes(current, fresh, list);
    else wrapCodeInNotes(box, fresh);
    enhanceLocalTime();
  }
  return true;
}

/** Joins ids and versions: equal results mean equal texts. */
function joinNoteVersions(container: HTMLElement): string {
  const notes = [...container.querySelectorAll<HTMLElement>(".note[data-note]:not(.note-writing)")];
  return notes.map(({ dataset }) => `${dataset.note} ${dataset.updated}`).join();
}

function replaceNotes(current: Element, fresh: HTMLElement, list: Element): void {
  current.className = fresh.className;
  current.querySelector(".noted-list")?.replaceWith(list);
  for (const fold of current.querySelectorAll(":scope > .note-fold")) fold.remove();
  current.prepend(...fresh.querySelectorAll(":scope > .note-fold"));
}

/** Fetches the part of this page with the notes. Their forms lead back to this address. */
async function fetchNotes(selector: string): Promise<HTMLElement | null> {
  const address = new URL(location.href);
  address.searchParams.set("part", "notes");
  const fragment = await fetchPart(address.pathname + address.search, selector);
  for (const next of fragment?.querySelectorAll<HTMLInputElement>("input[name=next]") ?? [])
    next.value = location.pathname + location.search;
  return fragment;
}

function adoptNoteRules(fragment: HTMLElement): void {
  for (const former of document.querySelectorAll("style[data-note-places]")) former.remove();
  rules.replaceSync(
    fragment.ownerDocument.querySelector<HTMLElement>("[data-note-rules]")?.dataset.noteRules ?? "",
  );
  if (!document.adoptedStyleSheets.includes(rules))
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
}

function replaceLineMarkers(fresh: HTMLElement): void {
  for (const marker of document.querySelectorAll(".code .line-note")) marker.remove();
  for (const marker of fresh.querySelectorAll(".line-note"))
    document.getElementById(marker.closest(".line")?.id ?? "")?.prepend(marker);
}

/** Adds the container of notes around the code, for a file's first note. */
function wrapCodeInNotes(box: HTMLElement, fresh: HTMLElement): void {
  const { scrollLeft } = box;
  // This page already has the parts around the code.
  for (const around of fresh.querySelectorAll(":scope > :is(.alert, .plain-reason, .code-parts)"))
    around.remove();
  box.closest(".outlined")?.classList.add("outlined-noted");
  box.before(fresh);
  fresh.querySelector(".code-box")?.replaceWith(box);
  box.scrollLeft = scrollLeft;
}
