// Without it a text that found no network is lost with its page; with it the outbox stores it and sends it from any later page.
import { heldHere, removeQueuedFormByKey, storeQueuedForm } from "#app/enhance/offline/outbox-store.ts";

const outboxKey = (note: HTMLElement) => `${document.body.dataset.reader} ${notePath(note)}`;
const notePath = (note: HTMLElement) => `/note/${note.dataset.note}/edit`;

/** Stores the text like the form of the note's own page. False if this browser stores nothing. */
export async function queueNoteText(note: HTMLElement, content: string): Promise<boolean> {
  const { reader } = document.body.dataset;
  if (!reader) return false;
  // This page keeps trying itself; the outbox sends the text from later pages.
  heldHere.add(outboxKey(note));
  const fields: [string, string][] = [
    ["prev_updated_at", note.dataset.updated ?? ""],
    ["content", content],
  ];
  const form = { reader, path: notePath(note), fields, at: new Date().toISOString(), refused: null };
  return storeQueuedForm(form).then(
    () => true,
    () => false,
  );
}

/** Stores later changes at once, because the page may be closed at any moment. */
export async function updateQueuedText(note: HTMLElement, content: string): Promise<void> {
  if (heldHere.has(outboxKey(note))) await queueNoteText(note, content);
}

/** Removes the stored text once the server has answered; the page shows the outcome. */
export async function removeQueuedText(note: HTMLElement): Promise<void> {
  const key = outboxKey(note);
  if (!heldHere.delete(key)) return;
  await removeQueuedFormByKey(key).catch(() => undefined);
}
