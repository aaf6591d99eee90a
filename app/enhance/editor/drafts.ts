// Without it a text is kept by saving it; with it this browser keeps what was typed and not saved, and offers it again.

import { focusText, readText, writeText } from "#app/enhance/editor/code-field.ts";

type Draft = { fields: Record<string, string>; at: string; sent: boolean };
type TextField = HTMLInputElement | HTMLTextAreaElement;

const WRITE_AFTER_MS = 400;
const PREFIX = "draft:";

/** Drafts are those of the person who is signed in. */
const getOwner = () => `${PREFIX}${document.body.dataset.reader ?? ""}:`;

/** Forms name what they write in `data-draft-for`. */
export function enhanceDrafts(): void {
  const owner = getOwner();
  forgetSaved(owner);
  const form = document.querySelector<HTMLFormElement>("form[data-draft-for]");
  if (!form) return;
  const key = `${owner}${form.dataset.draftFor}`;
  keepRefused(key);
  offerDraft(form, key);
  keepDraft(form, key);
}

/** A form that was sent and led to another page is saved; a refused one comes back at its own address. */
function forgetSaved(owner: string): void {
  if (location.pathname === "/login") return;
  for (const key of Object.keys(localStorage)) {
    const draft = key.startsWith(owner) ? read(key) : null;
    if (draft?.sent && draft.at !== location.pathname) localStorage.removeItem(key);
  }
}

/** A form that is here again was not saved. Its text is kept, also where one goes back and leaves the page by another way. */
function keepRefused(key: string): void {
  const draft = read(key);
  if (draft?.sent) store(key, { ...draft, sent: false });
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
  const write = (sent: boolean) => {
    clearTimeout(waiting);
    waiting = undefined;
    const fields = Object.fromEntries(listTextFields(form).map((field) => [field.name, readField(field)]));
    store(key, { fields, at: location.pathname, sent });
  };
  form.addEventListener("input", () => {
    waiting ??= setTimeout(() => write(false), WRITE_AFTER_MS);
  });
  window.addEventListener("pagehide", () => waiting && write(false));
  form.addEventListener("submit", () => write(true));
}

/** The text of a note that is written on a card, kept as the page with its form keeps it. */
export function keepDraftText(name: string, content: string): void {
  store(getOwner() + name, { fields: { content }, at: location.pathname, sent: false });
}

/** The text goes to a page now, where it is refused once more or saved. */
export function sendDraftText(name: string, content: string, page: string): void {
  const { pathname } = new URL(page, location.href);
  store(getOwner() + name, { fields: { content }, at: pathname, sent: true });
}

export const readDraftText = (name: string): string => read(getOwner() + name)?.fields.content ?? "";
export const forgetDraft = (name: string): void => localStorage.removeItem(getOwner() + name);

function store(key: string, draft: Draft): void {
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
