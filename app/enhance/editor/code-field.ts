// Without it code is typed into a plain text field; with it into an editor that is fetched when there is something to edit.

import type { CodeEditor } from "#app/enhance/editor/code-editor.ts";
import { parseLineRange } from "#domain/text/line-range.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/** Beyond these the plain field is quicker: more than can be saved, and very long lines. */
const EDITOR_MAX_LENGTH = 2 * 1024 * 1024;
const EDITOR_MAX_LINE = 20_000;
const PLAIN_KEY = "plain-text-field";

const editors = new WeakMap<HTMLTextAreaElement, CodeEditor>();

/** What stands in the field, whichever way it is typed into. Its `input` events come either way. */
export function readText(area: HTMLTextAreaElement): string {
  return editors.get(area)?.text() ?? area.value;
}

export function writeText(area: HTMLTextAreaElement, text: string): void {
  const editor = editors.get(area);
  if (editor) editor.replace(text);
  else area.value = text;
}

export function focusText(area: HTMLTextAreaElement): void {
  (editors.get(area) ?? area).focus();
}

/** Puts the cursor at the beginning of a line and brings it into sight. */
export function focusLine(area: HTMLTextAreaElement, line: number): void {
  const editor = editors.get(area);
  if (editor) {
    editor.focusLine(line);
    return;
  }
  const start = area.value.split("\n", line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start);
}

export function enhanceCodeField(): void {
  const field = document.querySelector<HTMLElement>("[data-code-field]");
  const area = field?.querySelector("textarea");
  if (!field || !area?.form) return;
  // The text is taken from the editor when it is sent, and put back where the browser remembers it when the page is left.
  area.form.addEventListener("formdata", ({ formData }) => formData.set(area.name, readText(area)));
  window.addEventListener("pagehide", () => {
    area.value = readText(area);
  });
  refuseTooLarge(field, area, area.form);
  if (field.querySelector("[data-markdown-preview]"))
    void import("#app/enhance/editor/markdown-preview.ts").then(({ openMarkdownPreview }) =>
      openMarkdownPreview(field, area, () => readText(area)),
    );
  const choice = field.querySelector<HTMLButtonElement>("[data-plain]");
  choice?.addEventListener("click", async () => {
    const plain = editors.has(area);
    localStorage.setItem(PLAIN_KEY, plain ? "1" : "");
    if (plain) close(field, area);
    else await open(field, area);
    focusText(area);
  });
  if (!fits(area.value)) return;
  choice?.classList.remove("needs-script");
  if (localStorage.getItem(PLAIN_KEY) === "1") {
    choice?.setAttribute("aria-pressed", "true");
    focusMarkedLine(area);
  } else void open(field, area).then(() => focusMarkedLine(area));
}

/** Whoever comes from a marked line goes on there. */
function focusMarkedLine(area: HTMLTextAreaElement): void {
  const marked = parseLineRange(location.hash.slice(1));
  if (marked) focusLine(area, marked.from);
}

/** A text that is too large is not sent: a page that brings it back takes a browser minutes to lay out. */
function refuseTooLarge(field: HTMLElement, area: HTMLTextAreaElement, form: HTMLFormElement): void {
  const alert = field.querySelector<HTMLElement>("[data-too-large]");
  if (!alert) return;
  const isTooLarge = () => utf8Bytes(readText(area)) > Number(alert.dataset.tooLarge);
  const check = (event: SubmitEvent) => {
    if (!isTooLarge()) return;
    event.preventDefault();
    // The draft is not marked as sent.
    event.stopImmediatePropagation();
    alert.hidden = false;
    alert.scrollIntoView({ block: "nearest" });
  };
  form.addEventListener("submit", check, { capture: true });
  form.addEventListener("input", () => {
    if (!alert.hidden) alert.hidden = !isTooLarge();
  });
}

function fits(text: string): boolean {
  return (
    text.length <= EDITOR_MAX_LENGTH && text.split("\n").every(({ length }) => length <= EDITOR_MAX_LINE)
  );
}

async function open(field: HTMLElement, area: HTMLTextAreaElement): Promise<void> {
  const { openCodeEditor } = await import("#app/enhance/editor/code-editor.ts");
  if (!fits(area.value)) return;
  const focused = document.activeElement === area;
  editors.set(area, openCodeEditor(field, area));
  showState(field, false);
  if (focused) focusText(area);
}

function close(field: HTMLElement, area: HTMLTextAreaElement): void {
  area.value = readText(area);
  editors.get(area)?.close();
  editors.delete(area);
  showState(field, true);
}

function showState(field: HTMLElement, plain: boolean): void {
  field.querySelector("[data-plain]")?.setAttribute("aria-pressed", String(plain));
  field.querySelector("[data-editor-keys]")?.classList.toggle("needs-script", plain);
}
