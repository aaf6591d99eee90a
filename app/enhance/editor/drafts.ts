// Without it a text is kept by saving it; with it this browser keeps what was typed and not saved, and offers it again.

import { focusText, readText, writeText } from "#app/enhance/editor/code-field.ts";

type Draft = {
  fields: Record<string, string>;
  /** The page with the form. */
  at: string;
  /** A form that was sent while its page was left, so nobody saw the answer. */
  sent?: SentForm;
};
export type SentForm = { path: string; fields: Record<string, string> };
type TextField = HTMLInputElement | HTMLTextAreaElement;

const WRITE_AFTER_MS = 400;
const PREFIX = "draft:";
/** Names, for this tab alone, the draft that was sent last. */
const SENT = "sent-draft";
/** Where a form waits that was sent without a network. */
const OUTBOX = "#outbox";

/** After a log-out this page keeps nothing more. */
let hasLeft = false;

/** Drafts are those of the person who is signed in. */
const getOwner = () => `${PREFIX}${document.body.dataset.reader ?? ""}:`;

/** Forms name what they write in `data-draft-for`. */
export function enhanceDrafts(): void {
  const unsaved = document.querySelector<HTMLFormElement>("form[data-session-ended]");
  if (unsaved) keepUntilLogin(unsaved);
  else forgetSaved();
  const form = document.querySelector<HTMLFormElement>("form[data-draft-for]");
  if (!form) return;
  const key = `${getOwner()}${form.dataset.draftFor}`;
  offerDraft(form, key);
  keepDraft(form, key);
}

/** A draft goes only when the page that answers its form says that the text is saved, or waits for a network. */
function forgetSaved(): void {
  // The frame of a slow page is not yet the answer.
  if (document.querySelector("[data-waiting]")) return;
  const key = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  const isSaved = document.querySelector("[data-saved]") !== null || location.hash === OUTBOX;
  if (isSaved && key?.startsWith(getOwner())) localStorage.removeItem(key);
}

/**
 * The session ended before the form came. The draft has its text, so the login of this page may take its place and leads
 * back to the form; sent again from here, it is still the draft of whoever wrote it.
 */
function keepUntilLogin(form: HTMLFormElement): void {
  const key = sessionStorage.getItem(SENT);
  const draft = key === null ? null : read(key);
  const login = document.querySelector<HTMLAnchorElement>("a[data-login-again]");
  if (key === null || !draft || !login) return;
  login.removeAttribute("target");
  login.href = `/login?next=${encodeURIComponent(draft.at)}`;
  form.addEventListener("input", () =>
    store(key, { ...draft, fields: { ...draft.fields, ...readFields(form) } }),
  );
}

/** A form that came back shows what was typed already. */
function offerDraft(form: HTMLFormElement, key: string): void {
  const draft = read(key);
  const offer = form.querySelector<HTMLElement>("[data-draft]");
  if (!draft || !offer || form.dataset.returned !== undefined) return;
  const differing = listTextFields(form).filter(
    (field) => readField(field) !== (draft.fields[field.name] ?? readField(field)),
  );
  if (differing.length === 0) return;
  const close = () => {
    offer.hidden = true;
    const field = differing.find((one) => one instanceof HTMLTextAreaElement) ?? differing[0];
    if (field instanceof HTMLTextAreaElement) focusText(field);
    else field?.focus();
  };
  offer.hidden = false;
  offer.querySelector("[data-draft-use]")?.addEventListener("click", () => {
    for (const field of differing) writeField(field, draft.fields[field.name] ?? "");
    close();
  });
  offer.querySelector("[data-draft-drop]")?.addEventListener("click", () => {
    localStorage.removeItem(key);
    close();
  });
}

function keepDraft(form: HTMLFormElement, key: string): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(waiting);
    waiting = undefined;
    store(key, { fields: readFields(form), at: location.pathname + location.search });
  };
  form.addEventListener("input", () => {
    waiting ??= setTimeout(write, WRITE_AFTER_MS);
  });
  window.addEventListener("pagehide", () => waiting && write());
  form.addEventListener("submit", () => {
    write();
    sessionStorage.setItem(SENT, key);
  });
}

/** The text of a note that is written on a card, kept as the page with its form keeps it. */
export function keepDraftText(name: string, content: string, sent?: SentForm): void {
  store(getOwner() + name, { fields: { content }, at: location.pathname, sent });
}

/** The drafts whose forms were sent and have no answer, by name. */
export function listSentDrafts(): { name: string; content: string; sent: SentForm }[] {
  return listDraftKeys().flatMap((key) => {
    const draft = read(key);
    if (!draft?.sent) return [];
    return [{ name: key.slice(getOwner().length), content: draft.fields.content ?? "", sent: draft.sent }];
  });
}

/** The text goes to a page now, where it is refused once more or saved. */
export function sendDraftText(name: string, content: string, page: string): void {
  const { pathname, search } = new URL(page, location.href);
  store(getOwner() + name, { fields: { content }, at: pathname + search });
  sessionStorage.setItem(SENT, getOwner() + name);
}

export const readSentForm = (name: string): SentForm | undefined => read(getOwner() + name)?.sent;
export const readDraftText = (name: string): string => read(getOwner() + name)?.fields.content ?? "";
export const forgetDraft = (name: string): void => localStorage.removeItem(getOwner() + name);

const listDraftKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(getOwner()));

export const hasDrafts = (): boolean => listDraftKeys().length > 0;

/** Whoever logs out leaves no text in this browser, also none that a page keeps while it is left. */
export function dropDrafts(): void {
  hasLeft = true;
  for (const key of listDraftKeys()) localStorage.removeItem(key);
}

function store(key: string, draft: Draft): void {
  if (hasLeft) return;
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // A text larger than the browser's store is not kept as a draft.
  }
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
  field instanceof HTMLTextAreaElement ? readText(field) : field.value;

function writeField(field: TextField, text: string): void {
  if (field instanceof HTMLTextAreaElement) writeText(field, text);
  else field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function read(key: string): Draft | null {
  const draft = JSON.parse(localStorage.getItem(key) ?? "null");
  return draft && typeof draft.fields === "object" ? draft : null;
}
