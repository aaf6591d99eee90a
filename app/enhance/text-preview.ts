import { fetchPart } from "#app/enhance/page-part.ts";

const PATH = "/notes/preview";
const TIMEOUT_MS = 5_000;

type TextPreview = {
  show(content: string): void;
  /** Waits for the text that was given last. False where the server did not render it. */
  settle(): Promise<boolean>;
};

type PreviewOptions = {
  /** What is sent beside the text. */
  fields?: () => Record<string, string>;
  /** How long a text stays unchanged before it is sent. */
  afterMs: number;
  onShown?: () => void;
};

/**
 * Shows a text as the server renders it. One request is under way at a time, and the newest text is sent next, so no answer comes
 * after a newer one. A request that fails leaves what is shown.
 */
export function createTextPreview(
  body: Element,
  part: `[data-${string}]`,
  { fields = () => ({}), afterMs, onShown }: PreviewOptions,
): TextPreview {
  let newest = "";
  let shown: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | null = null;

  async function ask(): Promise<void> {
    for (let requested: string | null = null; requested !== newest; ) {
      requested = newest;
      const sent = new URLSearchParams({ content: requested, ...fields() });
      const rendered = await fetchPart(PATH, part, { body: sent, timeoutMs: TIMEOUT_MS });
      if (!rendered) continue;
      body.replaceChildren(...rendered.childNodes);
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
      timer = setTimeout(askNow, afterMs);
    },
    async settle() {
      if (shown !== newest) await askNow();
      return shown === newest;
    },
  };
}
