// Without it a note is edited on a page of its own; with it on its paper, saved while typing.

import { growWithText } from "#app/enhance/notes/note-paper.ts";
import { createNotePreview } from "#app/enhance/notes/note-preview.ts";
import { makeRoomBelow } from "#app/enhance/notes/note-room.ts";
import {
  dropPendingChanges,
  readSaveText,
  saveNow,
  saveSoon,
  setNoteVersion,
  showNoteStatus,
} from "#app/enhance/notes/note-saves.ts";
import { requireElement } from "#app/enhance/require-element.ts";

export function enhanceNoteEdit(): void {
  document.addEventListener("click", (event) => {
    const { target } = event;
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("[data-note-edit]") : null;
    const note = link?.closest<HTMLElement>(".note");
    const list = link?.closest<HTMLElement>("[data-notes]");
    if (!link || !note || !list || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    if (note.querySelector(".note-form")) note.querySelector("textarea")?.focus();
    else void openEditForm(note, list.dataset.notes ?? "", link);
  });
}

/** Reads the text from the server, because the page may be older than the note. */
async function openEditForm(note: HTMLElement, list: string, link: HTMLAnchorElement): Promise<void> {
  await saveNow();
  const stored = await fetchStoredNote(list, note.dataset.note ?? "");
  if (!stored) {
    location.href = link.href;
    return;
  }
  setNoteVersion(note, stored.updated_at);
  delete note.dataset.minimized;
  showEditForm(note, stored.content, link);
}

type StoredNote = { id: string; content: string; updated_at: string };

async function fetchStoredNote(list: string, id: string): Promise<StoredNote | undefined> {
  try {
    const answer = await fetch(`/api/sticky-notes/${list}`, { headers: { Accept: "application/json" } });
    const { notes }: { notes?: StoredNote[] } = await answer.json();
    return notes?.find((note) => note.id === id);
  } catch {
    return undefined;
  }
}

function showEditForm(note: HTMLElement, content: string, link: HTMLAnchorElement): void {
  const body = requireElement(note, "[data-note-body]");
  const preview = createNotePreview(body, { noteId: note.dataset.note });
  const form = document.createElement("form");
  const [text, done, prev] = addFields(form, note, content, link);
  const box = liftHeightLimit(note);
  body.before(form);
  const room = makeRoomBelow(note);
  growWithText(text);
  text.focus();
  text.addEventListener("input", () => {
    if (!form.dataset.refused) saveSoon(note, { content: text.value });
  });
  const onSettled = (event: Event) => {
    prev.value = note.dataset.updated ?? "";
    const { ok, kept } = event instanceof CustomEvent ? event.detail : {};
    if (ok || kept) return;
    // From now on the form is submitted as it is: the resulting page has both texts, or the way to log in again.
    form.dataset.refused = "yes";
    dropPendingChanges(note);
    done.textContent = link.dataset.save ?? done.textContent;
  };
  note.addEventListener("note:settled", onSettled);
  const close = async () => {
    preview.show(text.value);
    const [isShown] = await Promise.all([preview.settle(), saveNow()]);
    if (form.dataset.refused) return;
    if (!isShown) showPlainText(body, text.value);
    note.removeEventListener("note:settled", onSettled);
    form.remove();
    box.restore();
    room.end();
    showNoteStatus(note, "");
    link.focus();
  };
  form.addEventListener("submit", (event) => {
    if (form.dataset.refused) return;
    event.preventDefault();
    void close();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !form.dataset.refused) void close();
  });
}

function liftHeightLimit(note: HTMLElement): { restore(): void } {
  const { blockSize, minBlockSize, maxBlockSize } = note.style;
  const { height } = note.getBoundingClientRect();
  Object.assign(note.style, { blockSize: "auto", minBlockSize: `${height}px`, maxBlockSize: "none" });
  return { restore: () => Object.assign(note.style, { blockSize, minBlockSize, maxBlockSize }) };
}

function showPlainText(body: Element, content: string): void {
  const words = document.createElement("p");
  Object.assign(words, { dir: "auto", innerText: content });
  body.replaceChildren(words);
}

function addFields(
  form: HTMLFormElement,
  note: HTMLElement,
  content: string,
  link: HTMLAnchorElement,
): [HTMLTextAreaElement, HTMLButtonElement, HTMLInputElement] {
  form.className = "note-form grid gap-2 pad-2";
  form.method = "post";
  form.enctype = "multipart/form-data";
  form.action = link.href;
  const prev = document.createElement("input");
  Object.assign(prev, { type: "hidden", name: "prev_updated_at", value: note.dataset.updated });
  const text = document.createElement("textarea");
  Object.assign(text, { name: "content", dir: "auto", rows: 5, value: content });
  text.setAttribute("aria-label", link.getAttribute("aria-label") ?? "");
  const done = document.createElement("button");
  Object.assign(done, { type: "submit", className: "button button-small", textContent: readSaveText().done });
  form.append(prev, text, done);
  return [text, done, prev];
}
