// Without it a note's appearance is seen after saving; with it while typing.
import { createTextPreview } from "#app/enhance/text-preview.ts";

const BODY = "[data-note-body]";
const ASK_AFTER_MS = 200;

type PreviewOptions = {
  /** The note whose form ticks the boxes; without it they only show their state. */
  noteId?: string;
  onShown?: () => void;
};

export const createNotePreview = (body: Element, { noteId = "", onShown }: PreviewOptions) =>
  createTextPreview(body, BODY, { fields: () => ({ note_id: noteId }), afterMs: ASK_AFTER_MS, onShown });

export function enhanceNotePreview(): void {
  const text = document.querySelector<HTMLTextAreaElement>("[data-note-text]");
  const section = document.querySelector<HTMLElement>("[data-note-preview]");
  const body = section?.querySelector(BODY);
  if (!text || !section || !body) return;
  const onShown = () => {
    section.hidden = body.childElementCount === 0;
  };
  const preview = createNotePreview(body, { onShown });
  text.addEventListener("input", () => preview.show(text.value));
  const form = text.closest("form");
  form?.addEventListener("change", () => {
    const color = new FormData(form).get("color");
    if (color !== "own") section.dataset.color = String(color);
  });
}
