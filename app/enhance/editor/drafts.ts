// Without it a text survives only if saved; with it this browser stores unsaved texts and offers them again.

import { focusText, readFieldText, writeFieldText } from "#app/enhance/editor/code-field.ts";
import {
  type Draft,
  isOfThisTab,
  isOwner,
  listPlaceDrafts,
  makeDraftKey,
  makePlace,
  moveDraft,
  readDraft,
  removeDraft,
  type SentForm,
  storeDraft,
} from "#app/enhance/editor/draft-store.ts";

type TextField = HTMLInputElement | HTMLTextAreaElement;

const WRITE_AFTER_MS = 400;
const EXCERPT_LENGTH = 60;
const SENT = "sent-draft";
/** The anchor of the page to which a form sent without a network leads. */
const OUTBOX = "#outbox";

export function enhanceDrafts(): void {
  const unsaved = document.querySelector<HTMLFormElement>("form[data-session-ended]");
  if (unsaved) keepDraftUntilLogin(unsaved);
  else removeSavedDraft();
  const form = document.querySelector<HTMLFormElement>("form[data-draft-for]");
  if (form) new FormDraft(form).start();
}

/** Removes a draft only once the page that answers its form says that the text is saved or waits for a network. */
function removeSavedDraft(): void {
  // The placeholder of a slow page is not the answer yet.
  if (document.querySelector("[data-waiting]")) return;
  const key = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  const isSaved = document.querySelector("[data-saved]") !== null || location.hash === OUTBOX;
  if (isSaved && key && isOwner(key)) removeDraft(key);
}

/**
 * The session ended before the form arrived. The draft holds its text, so the page's login link may replace the page and leads back to the
 * form. If the form is sent again from here, the draft still belongs to its writer.
 */
function keepDraftUntilLogin(form: HTMLFormElement): void {
  const key = sessionStorage.getItem(SENT);
  const draft = key === null ? null : readDraft(key);
  const login = document.querySelector<HTMLAnchorElement>("a[data-login-again]");
  if (key === null || !draft || !login) return;
  login.removeAttribute("target");
  login.href = `/login?next=${encodeURIComponent(draft.at)}`;
  form.addEventListener("input", () =>
    storeDraft(key, { ...draft, fields: { ...draft.fields, ...readFields(form) } }),
  );
}

/** The draft that a form writes, and the offer of other drafts to continue, one at a time. */
class FormDraft {
  readonly #form: HTMLFormElement;
  readonly #place: string;
  readonly #offer: HTMLElement | null;
  #key: string;
  #offered: Draft | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#place = makePlace(form.dataset.draftFor ?? "");
    this.#offer = form.querySelector("[data-draft]");
    this.#key = makeDraftKey(this.#place);
  }

  start(): void {
    // A form that came back shows the typed text already.
    const isReturned = this.#form.dataset.returned !== undefined;
    const shownDraft = listPlaceDrafts(this.#place).find(
      (draft) => isOfThisTab(draft) && (isReturned || !this.#differs(draft)),
    );
    if (shownDraft) this.#key = moveDraft(shownDraft);
    if (!isReturned) this.#offerNext();
    this.#offer?.querySelector("[data-draft-use]")?.addEventListener("click", () => this.#restore());
    this.#offer?.querySelector("[data-draft-drop]")?.addEventListener("click", () => this.#discard());
    this.#keep();
  }

  #keep(): void {
    this.#form.addEventListener("input", () => {
      this.#waiting ??= setTimeout(() => this.#write(), WRITE_AFTER_MS);
    });
    window.addEventListener("pagehide", () => this.#waiting && this.#write());
    this.#form.addEventListener("submit", () => {
      this.#write();
      sessionStorage.setItem(SENT, this.#key);
    });
  }

  #write(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    storeDraft(this.#key, { fields: readFields(this.#form), at: location.pathname + location.search });
  }

  #offerNext(): void {
    if (!this.#offer) return;
    this.#offered = listPlaceDrafts(this.#place).find(
      (draft) => draft.key !== this.#key && this.#differs(draft),
    );
    this.#offer.hidden = !this.#offered;
    const words = this.#offer.querySelector("[data-draft-words]");
    if (words && this.#offered) words.textContent = toExcerpt(this.#offered);
  }

  /** The text typed before stays a draft and is offered next. */
  #restore(): void {
    const draft = this.#offered;
    if (!draft) return;
    if (this.#waiting) this.#write();
    const differing = this.#listDiffering(draft);
    this.#key = moveDraft(draft);
    for (const field of differing) writeField(field, draft.fields[field.name] ?? "");
    this.#offerNext();
    this.#focus(differing);
  }

  #discard(): void {
    const draft = this.#offered;
    if (!draft) return;
    removeDraft(draft.key);
    this.#offerNext();
    if (!this.#offered) this.#focus(this.#listDiffering(draft));
  }

  #focus(fields: readonly TextField[]): void {
    const field = fields.find((it) => it instanceof HTMLTextAreaElement) ?? fields[0];
    if (field instanceof HTMLTextAreaElement) focusText(field);
    else field?.focus();
  }

  #listDiffering({ fields }: Draft): TextField[] {
    return listTextFields(this.#form).filter(
      (field) => readField(field) !== (fields[field.name] ?? readField(field)),
    );
  }

  #differs(draft: Draft): boolean {
    return this.#listDiffering(draft).length > 0;
  }
}

function toExcerpt({ fields }: Draft): string {
  const [longest = ""] = Object.values(fields).sort((a, b) => b.length - a.length);
  const words = longest
    .slice(0, 10 * EXCERPT_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return words.length > EXCERPT_LENGTH ? `${words.slice(0, EXCERPT_LENGTH)}…` : words;
}

/** Returns the draft that a note's card continues, under a new key, or an empty one. */
export function openOrCreateDraft(name: string): { key: string; content: string; sent?: SentForm } {
  const place = makePlace(name);
  const [draft] = listPlaceDrafts(place);
  if (!draft) return { key: makeDraftKey(place), content: "" };
  return { key: moveDraft(draft), content: draft.fields.content ?? "", sent: draft.sent };
}

/** Stores the text of a note's card the way a page with a form does. */
export function storeDraftText(key: string, content: string, sent?: SentForm): void {
  storeDraft(key, { fields: { content }, at: location.pathname, sent });
}

/** Stores the text as the draft of the page that it is being sent to. That page saves the text or refuses it again. */
export function storeDraftAsSent(key: string, content: string, page: string): void {
  const { pathname, search } = new URL(page, location.href);
  storeDraft(key, { fields: { content }, at: pathname + search });
  sessionStorage.setItem(SENT, key);
}

function listTextFields(form: HTMLFormElement): TextField[] {
  return [...form.elements].filter(
    (field): field is TextField =>
      (field instanceof HTMLTextAreaElement ||
        (field instanceof HTMLInputElement && field.type === "text")) &&
      field.name !== "",
  );
}

const readFields = (form: HTMLFormElement) =>
  Object.fromEntries(listTextFields(form).map((field) => [field.name, readField(field)]));

const readField = (field: TextField) =>
  field instanceof HTMLTextAreaElement ? readFieldText(field) : field.value;

function writeField(field: TextField, text: string): void {
  if (field instanceof HTMLTextAreaElement) writeFieldText(field, text);
  else field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
