// Without it code is typed into a plain text field; with it into an editor, which is fetched when there is something to edit.

import type { CodeEditor } from "#app/enhance/editor/code-editor.ts";
import { parseLineRange } from "#domain/text/line-range.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/** Above these limits, more than can be saved and very long lines, the plain field is faster. */
const EDITOR_MAX_LENGTH = 2 * 1024 * 1024;
const EDITOR_MAX_LINE = 20_000;
const PLAIN_KEY = "plain-text-field";

const editors = new WeakMap<HTMLTextAreaElement, CodeEditor>();

/** Reads from the editor if it is open, otherwise from the field. The field fires `input` events either way. */
export function readFieldText(area: HTMLTextAreaElement): string {
  return editors.get(area)?.text() ?? area.value;
}

export function writeFieldText(area: HTMLTextAreaElement, text: string): void {
  const editor = editors.get(area);
  if (editor) editor.replace(text);
  else area.value = text;
}

export function focusText(area: HTMLTextAreaElement): void {
  (editors.get(area) ?? area).focus();
}

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
  // The editor's text is read when the form is sent, and written back when the page is left, because browsers remember fields.
  area.form.addEventListener("formdata", ({ formData }) => formData.set(area.name, readFieldText(area)));
  window.addEventListener("pagehide", () => {
    area.value = readFieldText(area);
  });
  blockTooLargeSubmit(field, area, area.form);
  if (field.querySelector("[data-markdown-preview]"))
    void import("#app/enhance/editor/markdown-preview.ts").then(({ openMarkdownPreview }) =>
      openMarkdownPreview(field, area, () => readFieldText(area)),
    );
  const choice = field.querySelector<HTMLButtonElement>("[data-plain]");
  choice?.addEventListener("click", async () => {
    const wasEditor = editors.has(area);
    localStorage.setItem(PLAIN_KEY, wasEditor ? "1" : "");
    if (wasEditor) closeEditor(field, area);
    else await openEditor(field, area);
    focusText(area);
  });
  if (!fitsEditor(area.value)) return;
  choice?.classList.remove("needs-script");
  if (localStorage.getItem(PLAIN_KEY) === "1") {
    choice?.setAttribute("aria-pressed", "true");
    focusMarkedLine(area);
  } else void openEditor(field, area).then(() => focusMarkedLine(area));
}

/** Puts the cursor on the line that the address marks. */
function focusMarkedLine(area: HTMLTextAreaElement): void {
  const range = parseLineRange(location.hash.slice(1));
  if (range) focusLine(area, range.from);
}

/** A text that is too large is not sent: the page that brings it back takes a browser minutes to lay out. */
function blockTooLargeSubmit(field: HTMLElement, area: HTMLTextAreaElement, form: HTMLFormElement): void {
  const alert = field.querySelector<HTMLElement>("[data-too-large]");
  if (!alert) return;
  const isTooLarge = () => utf8Bytes(readFieldText(area)) > Number(alert.dataset.tooLarge);
  const check = (event: SubmitEvent) => {
    if (!isTooLarge()) return;
    event.preventDefault();
    // Keeps the draft from being marked as sent.
    event.stopImmediatePropagation();
    alert.hidden = false;
    alert.scrollIntoView({ block: "nearest" });
  };
  form.addEventListener("submit", check, { capture: true });
  form.addEventListener("input", () => {
    if (!alert.hidden) alert.hidden = !isTooLarge();
  });
}

function fitsEditor(text: string): boolean {
  return (
    text.length <= EDITOR_MAX_LENGTH && text.split("\n").every(({ length }) => length <= EDITOR_MAX_LINE)
  );
}

async function openEditor(field: HTMLElement, area: HTMLTextAreaElement): Promise<void> {
  const { openCodeEditor } = await import("#app/enhance/editor/code-editor.ts");
  if (!fitsEditor(area.value)) return;
  const hadFocus = document.activeElement === area;
  editors.set(area, openCodeEditor(field, area));
  showEditorState(field, false);
  if (hadFocus) focusText(area);
}

function closeEditor(field: HTMLElement, area: HTMLTextAreaElement): void {
  area.value = readFieldText(area);
  editors.get(area)?.close();
  editors.delete(area);
  showEditorState(field, true);
}

function showEditorState(field: HTMLElement, plain: boolean): void {
  field.querySelector("[data-plain]")?.setAttribute("aria-pressed", String(plain));
  field.querySelector("[data-editor-keys]")?.classList.toggle("needs-script", plain);
}
