// Without it Back shows the notes as they were when the page was left; with it as they are now.
import { requireElement } from "#app/enhance/require-element.ts";

const SAVED_AT = "notes-saved-at";
/** The greatest age of a prefetched page. */
const EARLY_MS = 5 * 60_000;

export const rememberSaving = (): void => localStorage.setItem(SAVED_AT, String(Date.now()));

export function enhanceOldPage(): void {
  const [entry] = performance.getEntriesByType("navigation");
  if (entry instanceof PerformanceNavigationTiming && isOldCopy(entry)) void showNewNotes();
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    // The text of an open card is saved or in a draft.
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

/** Beside code only the notes are refreshed; another page with notes reloads if they changed. */
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

type StoredNote = { id: string; updated_at: string };

/** Also false if the notes cannot be fetched. */
async function areNotesOld(list: string): Promise<boolean> {
  const headers = { Accept: "application/json" };
  const answer = await fetch(`/api/sticky-notes/${list}`, { headers }).catch(() => null);
  if (!answer?.ok) return false;
  const { notes }: { notes: StoredNote[] } = await answer.json();
  const shownNotes = [...requireElement(document, "main").querySelectorAll<HTMLElement>(".note[data-note]")];
  const shownVersions = shownNotes.map(({ dataset }) => `${dataset.note} ${dataset.updated}`);
  const storedVersions = notes.map(({ id, updated_at }) => `${id} ${updated_at}`);
  return shownVersions.sort().join() !== storedVersions.sort().join();
}
