// Without it a note is seen as it will be once it is saved; with it while it is typed.
import { fetchPart } from "#app/enhance/page-part.ts";

const PATH = "/notes/preview";
const BODY = "[data-note-body]";
const ASK_AFTER_MS = 200;
const TIMEOUT_MS = 5_000;

type NotePreview = {
  show(content: string): void;
  /** Waits for the text that was given last. False where the server did not render it. */
  settle(): Promise<boolean>;
};

type PreviewOptions = {
  /** The note whose form ticks the boxes; without it they only show their state. */
  noteId?: string;
  onShown?: () => void;
};

/**
 * Shows a text as the server renders it. One request is under way at a time, and the newest text is sent next, so no answer comes
 * after a newer one. A request that fails leaves what is shown.
 */
export function createNotePreview(body: Element, { noteId = "", onShown }: PreviewOptions): NotePreview {
  let newest = "";
  let shown: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | null = null;

  async function ask(): Promise<void> {
    for (let requested: string | null = null; requested !== newest; ) {
      requested = newest;
      const fields = new URLSearchParams({ content: requested, note_id: noteId });
      const part = await fetchPart(PATH, BODY, { body: fields, timeoutMs: TIMEOUT_MS });
      if (!part) continue;
      body.replaceChildren(...part.childNodes);
      shown = requested;
      onShown?.();
    }
  }

  function askNow(): Promise<void> {
    clearTimeout(timer);
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    show(content) {
      newest = content;
      clearTimeout(timer);
      timer = setTimeout(askNow, ASK_AFTER_MS);
    },
    async settle() {
      if (shown !== newest) await askNow();
      return shown === newest;
    },
  };
}

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
