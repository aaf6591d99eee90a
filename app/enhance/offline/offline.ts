// Without it nothing works offline; with it pages are stored for reading, saves wait for a network, and a sign shows the state.

import { sendOutbox } from "#app/enhance/offline/outbox.ts";
import { listQueuedForms } from "#app/enhance/offline/outbox-store.ts";
import { registerWorker } from "#app/enhance/offline/service-worker.ts";
import { requireElement } from "#app/enhance/require-element.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";

type OfflineText = { offline: string; kept: string; waiting: string; sent: string; refused: string };
type State = keyof OfflineText | null;

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = MINUTE_MS;

export function enhanceOfflineStatus(): void {
  const sign = document.querySelector<HTMLElement>("[data-offline]");
  const { reader, kept } = document.body.dataset;
  if (!sign || !reader || !("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") void storeThisPage();
  else window.addEventListener("load", () => void storeThisPage());
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A browser may not notice that the network is gone, and then fires no event when it returns.
  const update = async () => {
    clearTimeout(timer);
    const state = await sendOutboxAndFindState(reader, kept !== undefined);
    showState(sign, state);
    tries = state === "waiting" ? tries + 1 : 0;
    if (tries > 0) timer = setTimeout(update, Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LAST_RETRY_MS));
  };
  window.addEventListener("online", update);
  window.addEventListener("offline", update);
  void update();
}

/** Tells the worker to store this page if it has not seen it, or got it as a prefetch. */
async function storeThisPage(): Promise<void> {
  try {
    await registerWorker();
    const { active } = await navigator.serviceWorker.ready;
    const isKnown = isLoadedByWorker();
    if (!isKnown || document.body.dataset.early !== undefined)
      active?.postMessage({ keep: location.href, isKnown });
  } catch {
    // Without a service worker no pages are stored; everything else works.
  }
}

/** A starting worker also takes over open pages, so controlling a page does not mean that it has seen it load. */
function isLoadedByWorker(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation instanceof PerformanceNavigationTiming && navigation.workerStart > 0;
}

async function sendOutboxAndFindState(reader: string, kept: boolean): Promise<State> {
  if (!navigator.onLine) {
    const isWaiting = (await listQueuedForms(reader)).length > 0;
    return kept ? "kept" : isWaiting ? "waiting" : "offline";
  }
  const { sent, refused, later } = await sendOutbox(reader);
  document.dispatchEvent(new CustomEvent("outbox:changed"));
  const unsent = refused > 0 ? "refused" : later > 0 ? "waiting" : null;
  return unsent ?? (sent > 0 ? "sent" : kept ? "kept" : null);
}

function showState(sign: HTMLElement, state: State): void {
  const words: OfflineText = JSON.parse(sign.dataset.offline ?? "{}");
  sign.hidden = state === null;
  if (state === null) return;
  const { kept, timeZone } = document.body.dataset;
  sign.dataset.state = state;
  requireElement(sign, "p").textContent =
    state === "kept" ? `${words.kept} ${formatMoment(kept ?? "", timeZone)}` : words[state];
}

export function formatMoment(time: string, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone: timeZone || undefined,
  }).format(new Date(time));
}
