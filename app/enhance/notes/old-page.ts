// Without it Back shows the notes that a page had when it was left; with it those that it has now.
import { requireElement } from "#app/enhance/require-element.ts";

/** When this browser last saved a note. */
const SAVED_AT = "notes-saved-at";
/** A page that the browser fetched before its link was followed is at most this old. */
const EARLY_MS = 5 * 60_000;

export const rememberSaving = (): void => localStorage.setItem(SAVED_AT, String(Date.now()));

export function enhanceOldPage(): void {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && isOldCopy(entry)) void showNewNotes();
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    // The text of an open card is saved, or it is a draft.
    if (isWriting()) location.reload();
    else void showNewNotes();
  });
}

type PageEntry = PerformanceNavigationTiming & { activationStart?: number; deliveryType?: string };

function isOldCopy({ type, activationStart = 0, deliveryType }: PageEntry): boolean {
  if (type === "back_forward") return true;
  const isEarly = activationStart > 0 || deliveryType === "navigational-prefetch";
  return isEarly && Date.now() - Number(localStorage.getItem(SAVED_AT)) < EARLY_MS;
}

const isWriting = () => document.querySelector(".note-writing, .note-form") !== null;

/** Beside code the notes alone come again; another page with notes comes again as a whole, if they changed. */
export async function showNewNotes(): Promise<void> {
  if (isWriting()) return;
  const add = document.querySelector<HTMLAnchorElement>("[data-note-add]");
  if (add && document.querySelector("pre.code")) {
    const { refreshNotes } = await import("#app/enhance/notes/noted-page.ts");
    await refreshNotes();
    return;
  }
  const list =
    document.querySelector<HTMLElement>("[data-notes]")?.dataset.notes ??
    (add && new URL(add.href).searchParams.get("file"));
  if (list && (await areNotesOld(list))) location.reload();
}

type Stored = { id: string; updated_at: string };

/** False also where the notes cannot be had now. */
async function areNotesOld(list: string): Promise<boolean> {
  const headers = { Accept: "application/json" };
  const answer = await fetch(`/api/sticky-notes/${list}`, { headers }).catch(() => null);
  if (!answer?.ok) return false;
  const { notes }: { notes: Stored[] } = await answer.json();
  const shown = [...requireElement(document, "main").querySelectorAll<HTMLElement>(".note[data-note]")];
  const before = shown.map(({ dataset }) => `${dataset.note} ${dataset.updated}`);
  const now = notes.map(({ id, updated_at }) => `${id} ${updated_at}`);
  return before.sort().join() !== now.sort().join();
}
