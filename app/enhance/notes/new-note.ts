// Without it a note is written on a page of its own; with it on a card in its position, saved while typing.
import { makeDraftKey, makePlace, removeDraft, type SentForm } from "#app/enhance/editor/draft-store.ts";
import { openOrCreateDraft, storeDraftAsSent, storeDraftText } from "#app/enhance/editor/drafts.ts";
import { growWithText } from "#app/enhance/notes/note-paper.ts";
import {
  dropPendingChanges,
  KEEPALIVE_MAX_BYTES,
  readSaveText,
  saveNow,
  saveSoon,
  setNoteVersion,
  showNoteStatus,
} from "#app/enhance/notes/note-saves.ts";
import { loadNoteTools } from "#app/enhance/notes/note-tools.ts";
import { rememberSaving } from "#app/enhance/notes/old-page.ts";
import { requireElement } from "#app/enhance/require-element.ts";

type NewNote = {
  /** The page with the whole form, which the card is sent to. */
  form: string;
  fields: Record<string, string>;
  put(card: HTMLElement): void;
  /** Shows the saved note on the page, before the card is removed. */
  onSaved(id: string): Promise<void>;
  /** An open card is saved and stays while the next note is written, as on a board. */
  isOneOfMany?: boolean;
};

const CREATE_AFTER_MS = 800;

let isOpening = false;
let writer: NoteWriter | null = null;

export async function openNewNote(note: NewNote): Promise<void> {
  if (isOpening) return;
  isOpening = true;
  const isFree = !writer || (note.isOneOfMany && (await writer.saveAndDeactivate()));
  if (isFree) await openCard(note);
  else writer?.focus();
  isOpening = false;
}

/** Sends the text of an open card when its page is left. */
window.addEventListener("pagehide", () => writer?.saveOnLeave());
document.addEventListener(
  "visibilitychange",
  () => document.visibilityState === "hidden" && writer?.saveOnLeave(),
);

export const closeNewNote = async (): Promise<void> => writer?.tryToClose();

async function openCard(note: NewNote): Promise<void> {
  const tools = await loadNoteTools(note.form);
  const card = tools?.querySelector(".note-writing")?.cloneNode(true);
  if (card instanceof HTMLElement) new NoteWriter(card, note).open();
  else location.assign(note.form);
}

/** A new note: stored in this browser until the server has it, and updated there afterwards. */
class NoteWriter {
  readonly #card: HTMLElement;
  readonly #note: NewNote;
  readonly #form: HTMLFormElement;
  readonly #text: HTMLTextAreaElement;
  readonly #fullForm: HTMLAnchorElement;
  readonly #draft: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #creating: Promise<boolean> | null = null;
  /** An unanswered request is repeated unchanged, so that it creates no second note. */
  #sent: FormData | null = null;
  #isWarned = false;
  /** The page with the full form comes next; it has the draft. */
  #isMoving = false;
  #isCancelled = false;

  constructor(card: HTMLElement, note: NewNote) {
    this.#card = card;
    this.#note = note;
    this.#form = requireElement(card, "form");
    this.#text = requireElement(card, "textarea");
    this.#fullForm = requireElement(card, "[data-note-full]");
    const { key, content, sent } = openOrCreateDraft(`new-note${new URL(note.form, location.href).search}`);
    this.#draft = key;
    this.#text.value = content;
    if (sent) this.#sent = toFormData(sent);
  }

  open(): void {
    const { form, fields, put } = this.#note;
    this.#form.action = form;
    this.#fullForm.href = form;
    this.#fullForm.addEventListener("click", ({ ctrlKey, metaKey, shiftKey }) => {
      this.#isMoving = !(ctrlKey || metaKey || shiftKey);
    });
    const key = { form_key: `${Date.now()}-${Math.random()}` };
    for (const [name, value] of Object.entries({ ...fields, ...key })) this.#addField(name, value);
    put(this.#card);
    writer = this;
    growWithText(this.#text);
    this.#text.focus();
    this.#text.addEventListener("input", () => this.#handleInput());
    this.#card.addEventListener("keydown", (event) => {
      if (event.key === "Escape") void this.tryToClose();
    });
    const cancel = requireElement(this.#card, "[data-note-cancel]");
    cancel.addEventListener("click", () => void this.#cancel());
    this.#form.addEventListener("submit", (event) => {
      if (this.#form.dataset.refused) {
        const { note } = this.#card.dataset;
        const draft = note ? makeDraftKey(makePlace(note)) : this.#draft;
        storeDraftAsSent(draft, this.#text.value, this.#form.action);
        return;
      }
      event.preventDefault();
      void this.tryToClose();
    });
    this.#card.addEventListener("note:settled", (event) => {
      const { ok, kept } = event instanceof CustomEvent ? event.detail : {};
      if (!ok && !kept) this.#refuse(`/note/${this.#card.dataset.note}/edit`);
    });
  }

  #addField(name: string, value: string): void {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    this.#form.append(field);
  }

  #handleInput(): void {
    this.#isWarned = false;
    if (this.#form.dataset.refused) return;
    if (this.#card.dataset.note) {
      saveSoon(this.#card, { content: this.#text.value });
      return;
    }
    storeDraftText(this.#draft, this.#text.value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#create(), CREATE_AFTER_MS);
  }

  /** True once the server has the note. Sends one request at a time. */
  #create(): Promise<boolean> {
    clearTimeout(this.#timer);
    if (this.#card.dataset.note) return Promise.resolve(true);
    this.#creating ??= this.#send().finally(() => {
      this.#creating = null;
    });
    return this.#creating;
  }

  async #send(): Promise<boolean> {
    if (this.#text.value.trim() === "") return false;
    this.#sent ??= new FormData(this.#form);
    const answer = await postNote(this.#note.form, this.#sent);
    if (!answer || answer.status >= 500) {
      showNoteStatus(this.#card, readSaveText().failed);
      return false;
    }
    if (!answer.ok) {
      showNoteStatus(this.#card, answer.status === 401 ? readSaveText().loggedOut : readSaveText().refused);
      this.#refuse();
      return false;
    }
    const { note }: { note: { id: string; updated_at: string } } = await answer.json();
    this.#adopt(note, String(this.#sent.get("content")));
    return true;
  }

  #adopt({ id, updated_at }: { id: string; updated_at: string }, saved: string): void {
    this.#card.id = `note-${id}`;
    this.#card.dataset.note = id;
    setNoteVersion(this.#card, updated_at);
    this.#fullForm.href = `/note/${id}/edit`;
    removeDraft(this.#draft);
    rememberSaving();
    showNoteStatus(this.#card, readSaveText().saved);
    if (this.#text.value !== saved) saveSoon(this.#card, { content: this.#text.value });
  }

  /** From now on the button submits the form as it is; the resulting page has the text and says what is wrong. */
  #refuse(action?: string): void {
    if (action) {
      this.#form.action = action;
      this.#addField("prev_updated_at", this.#card.dataset.updated ?? "");
    }
    this.#form.dataset.refused = "yes";
    const button = requireElement(this.#form, "button");
    button.textContent = button.dataset.save ?? "";
  }

  focus(): void {
    this.#text.focus();
  }

  /** Sends unsent text. The answer may come too late for this page, so the draft stores the form and the next page sends it again. */
  saveOnLeave(): void {
    const isElsewhere = this.#isMoving || this.#isCancelled || this.#card.dataset.note !== undefined;
    if (isElsewhere || this.#form.dataset.refused || this.#isEmpty()) return;
    void this.#create();
    if (this.#sent) storeDraftText(this.#draft, this.#text.value, toSentForm(this.#note.form, this.#sent));
  }

  #isEmpty(): boolean {
    return !this.#card.dataset.note && this.#text.value.trim() === "";
  }

  /** False if the text is not saved and its card has to stay open. */
  async saveAndDeactivate(): Promise<boolean> {
    if (this.#form.dataset.refused) return false;
    if (this.#isEmpty()) {
      await this.tryToClose();
      return true;
    }
    if (!(await this.#create())) return false;
    await saveNow();
    if (this.#form.dataset.refused) return false;
    this.#card.inert = true;
    return true;
  }

  /** Leaves nothing behind: a note that was saved automatically is deleted. */
  async #cancel(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isCancelled = true;
    await this.#creating;
    const { note } = this.#card.dataset;
    if (note) {
      dropPendingChanges(this.#card);
      await saveNow();
      const answer = await fetch(`/api/sticky-notes/note/${note}`, { method: "DELETE" }).catch(() => null);
      if (!answer?.ok && answer?.status !== 404) {
        showNoteStatus(this.#card, answer?.status === 401 ? readSaveText().loggedOut : readSaveText().failed);
        this.#isCancelled = false;
        return;
      }
    }
    removeDraft(this.#draft);
    this.#remove();
  }

  #remove(): void {
    clearTimeout(this.#timer);
    this.#card.remove();
    writer = null;
  }

  /** An unsaved text keeps its card open the first time; after that the draft has it. */
  async tryToClose(): Promise<void> {
    if (this.#form.dataset.refused) return;
    const isEmpty = this.#isEmpty();
    const isSaved = !isEmpty && (await this.#create());
    if (isSaved) {
      await saveNow();
      if (this.#form.dataset.refused) return;
      const { note = "" } = this.#card.dataset;
      this.#card.removeAttribute("id");
      await this.#note.onSaved(note);
      document.querySelector<HTMLElement>(`#note-${note} [data-note-edit]`)?.focus({ preventScroll: true });
    } else if (isEmpty) removeDraft(this.#draft);
    else if (!this.#isWarned) {
      this.#isWarned = true;
      return;
    }
    this.#remove();
  }
}

/** Null if there was no answer. A request that is small enough continues after its page is left. */
export function postNote(path: string, body: FormData): Promise<Response | null> {
  const headers = { Accept: "application/json" };
  const keepalive = new Blob([String(body.get("content"))]).size < KEEPALIVE_MAX_BYTES;
  return fetch(path, { method: "POST", headers, body, keepalive }).catch(() => null);
}

export function toFormData({ fields }: SentForm): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function toSentForm(path: string, form: FormData): SentForm {
  return { path, fields: Object.fromEntries([...form].map(([name, value]) => [name, String(value)])) };
}
