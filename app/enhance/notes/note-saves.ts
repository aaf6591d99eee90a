// Collects the changes of notes for a moment and sends them together; waiting changes are sent when the page is left.

import { queueNoteText, removeQueuedText, updateQueuedText } from "#app/enhance/notes/note-outbox.ts";
import { rememberSaving } from "#app/enhance/notes/old-page.ts";
import { required } from "#domain/required.ts";

type NoteChange = {
  position?: { x: number; y: number };
  size?: { width: number; height: number };
  content?: string;
};

type Result = { id: string; ok: boolean; status: number; updated_at?: string };
type NoteSaveText = Record<
  "saving" | "saved" | "failed" | "refused" | "kept" | "conflict" | "loggedOut" | "tickFailed" | "done",
  string
>;

/** A browser lets 64 KB of requests outlive their page, counted together. */
export const KEEPALIVE_MAX_BYTES = 60_000;
const GATHER_MS = 500;
const RETRY_MS = 5_000;
const pendingChanges = new Map<string, NoteChange>();
let timer: ReturnType<typeof setTimeout> | undefined;
let inFlight: Promise<void> = Promise.resolve();

const findNoteElement = (id: string) => document.getElementById(`note-${id}`);

export function readSaveText(): NoteSaveText {
  return JSON.parse(document.querySelector<HTMLElement>("[data-said]")?.dataset.said ?? "{}");
}

export function showNoteStatus(note: Element, text: string): void {
  const status = note.querySelector("[data-note-said]");
  if (status) status.textContent = text;
}

/** Stores the version that every later change of this note is based on. */
export function setNoteVersion(note: HTMLElement, updatedAt: string): void {
  note.dataset.updated = updatedAt;
  const prev = note.querySelector<HTMLInputElement>("[data-note-prev]");
  if (prev) prev.value = updatedAt;
}

export function saveSoon(note: HTMLElement, change: NoteChange): void {
  const id = required(note.dataset.note, "id of a note");
  pendingChanges.set(id, { ...pendingChanges.get(id), ...change });
  if (change.content !== undefined) void updateQueuedText(note, change.content);
  // The message about an earlier change is outdated.
  showNoteStatus(note, "");
  timer ??= setTimeout(() => void saveNow(), GATHER_MS);
}

export function saveNow({ leaving = false } = {}): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  inFlight = leaving ? sendPendingChanges(true) : inFlight.then(() => sendPendingChanges(false));
  return inFlight;
}

async function sendPendingChanges(keepalive: boolean): Promise<void> {
  const changes = [...pendingChanges];
  if (changes.length === 0) return;
  pendingChanges.clear();
  const updates = changes.map(([id, change]) => ({ id, ...change, ...toVersionCheck(id, change) }));
  const answer = await post("/api/sticky-notes/batch", { updates }, keepalive);
  if (answer?.ok) {
    const { results }: { results: Result[] } = await answer.json();
    for (const result of results) showSaveResult(result);
  } else await keepForRetry(changes, answer?.status ?? 0);
}

/** Adds the version to changes of the text, which replace only the text that their writer saw. Of positions the last one wins. */
function toVersionCheck(id: string, { content }: NoteChange): { prev_updated_at?: string } {
  return content === undefined ? {} : { prev_updated_at: findNoteElement(id)?.dataset.updated };
}

function showSaveResult({ id, ok, status, updated_at }: Result): void {
  const note = findNoteElement(id);
  if (!note) return;
  if (ok && updated_at) setNoteVersion(note, updated_at);
  if (ok) rememberSaving();
  void removeQueuedText(note);
  const savedWords = pendingChanges.has(id) ? "" : readSaveText().saved;
  showNoteStatus(note, ok ? savedWords : status === 409 ? readSaveText().conflict : readSaveText().failed);
  note.dispatchEvent(new CustomEvent("note:settled", { detail: { ok, status } }));
}

/** Keeps the changes for the next attempt. A text that could not be sent without a network is also stored beyond the page. */
async function keepForRetry(changes: [string, NoteChange][], status: number): Promise<void> {
  timer ??= setTimeout(() => void saveNow(), RETRY_MS);
  for (const [id, change] of changes) {
    const merged = { ...change, ...pendingChanges.get(id) };
    pendingChanges.set(id, merged);
    const note = findNoteElement(id);
    if (!note) continue;
    const kept = status === 0 && merged.content !== undefined && (await queueNoteText(note, merged.content));
    showNoteStatus(
      note,
      kept ? readSaveText().kept : status === 401 ? readSaveText().loggedOut : readSaveText().failed,
    );
    note.dispatchEvent(new CustomEvent("note:settled", { detail: { ok: false, status, kept } }));
  }
}

/** Drops a refused text from the queue; its writer saves it with the form that shows both texts. */
export function dropPendingChanges(note: HTMLElement): void {
  pendingChanges.delete(note.dataset.note ?? "");
}

export async function post(path: string, body: unknown, keepalive = false): Promise<Response | null> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  try {
    return await fetch(path, { method: "POST", headers, body: JSON.stringify(body), keepalive });
  } catch {
    return null;
  }
}

export function saveOnLeaving(): void {
  // Without a network nothing can be sent, but texts can be stored.
  const leave = () =>
    void (navigator.onLine ? saveNow({ leaving: true }) : keepForRetry([...pendingChanges], 0));
  window.addEventListener("pagehide", leave);
  window.addEventListener("online", () => void saveNow());
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
}
