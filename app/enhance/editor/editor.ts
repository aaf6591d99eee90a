// Without it a text is kept by saving it; with it Ctrl+S saves, and this browser keeps what was typed and not saved.

import { focusText, readText, writeText } from "#app/enhance/editor/code-field.ts";

type Draft = { text: string; sent: boolean };

const WRITE_AFTER_MS = 400;
const draftKey = (fileId: string) => `draft:${fileId}`;

export function enhanceEditor(): void {
  forgetSaved();
  const form = document.querySelector<HTMLFormElement>("form[data-editor]");
  const text = form?.elements.namedItem("text");
  if (!form || !(text instanceof HTMLTextAreaElement)) return;
  form.querySelector(".needs-script")?.classList.remove("needs-script");
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
  offerDraft(form, text);
  keepDraft(form, text);
}

/** A text that was sent and led on to its file is saved. */
function forgetSaved(): void {
  const fileId = /^\/file\/([^/]+)$/.exec(location.pathname)?.[1];
  if (fileId && read(fileId)?.sent) localStorage.removeItem(draftKey(fileId));
}

/** A form that came back shows what was typed already. */
function offerDraft(form: HTMLFormElement, text: HTMLTextAreaElement): void {
  const { editor: fileId = "", returned } = form.dataset;
  const draft = read(fileId);
  const offer = form.querySelector<HTMLElement>("[data-draft]");
  if (!draft || !offer || returned !== undefined || draft.text === readText(text)) return;
  offer.hidden = false;
  offer.querySelector("[data-draft-use]")?.addEventListener("click", () => {
    writeText(text, draft.text);
    offer.hidden = true;
    focusText(text);
  });
  offer.querySelector("[data-draft-drop]")?.addEventListener("click", () => {
    localStorage.removeItem(draftKey(fileId));
    offer.hidden = true;
    focusText(text);
  });
}

function keepDraft(form: HTMLFormElement, text: HTMLTextAreaElement): void {
  const { editor: fileId = "" } = form.dataset;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const write = (sent: boolean) => {
    clearTimeout(waiting);
    waiting = undefined;
    try {
      localStorage.setItem(draftKey(fileId), JSON.stringify({ text: readText(text), sent } satisfies Draft));
    } catch {
      // A text larger than the browser's store is not kept as a draft.
    }
  };
  text.addEventListener("input", () => {
    waiting ??= setTimeout(() => write(false), WRITE_AFTER_MS);
  });
  window.addEventListener("pagehide", () => waiting && write(false));
  form.addEventListener("submit", () => write(true));
}

function read(fileId: string): Draft | null {
  return JSON.parse(localStorage.getItem(draftKey(fileId)) ?? "null");
}
