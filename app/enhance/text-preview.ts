import { fetchPart } from "#app/enhance/page-part.ts";

const PATH = "/notes/preview";
const TIMEOUT_MS = 5_000;

type TextPreview = {
  show(content: string): void;
  /** Waits for the latest text. False if the server did not render it. */
  settle(): Promise<boolean>;
};

type PreviewOptions = {
  fields?: () => Record<string, string>;
  afterMs: number;
  onShown?: () => void;
};

/**
 * Shows a text as the server renders it. One request is open at a time, followed by the newest text, so no answer arrives after a newer
 * one. After a failure the last rendering stays.
 */
export function createTextPreview(
  body: Element,
  part: `[data-${string}]`,
  { fields = () => ({}), afterMs, onShown }: PreviewOptions,
): TextPreview {
  let newest = "";
  let shown: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let openRequest: Promise<void> | null = null;

  async function renderNewest(): Promise<void> {
    for (let requested: string | null = null; requested !== newest; ) {
      requested = newest;
      const fieldsToSend = new URLSearchParams({ content: requested, ...fields() });
      const rendered = await fetchPart(PATH, part, { body: fieldsToSend, timeoutMs: TIMEOUT_MS });
      if (!rendered) continue;
      body.replaceChildren(...rendered.childNodes);
      shown = requested;
      onShown?.();
    }
  }

  function renderNow(): Promise<void> {
    clearTimeout(timer);
    openRequest ??= renderNewest().finally(() => {
      openRequest = null;
    });
    return openRequest;
  }

  return {
    show(content) {
      newest = content;
      clearTimeout(timer);
      timer = setTimeout(renderNow, afterMs);
    },
    async settle() {
      if (shown !== newest) await renderNow();
      return shown === newest;
    },
  };
}
