// Without it a message stays until the next page; with it a button closes it, and it disappears by itself unless it reports a problem.

const LIFETIME_MS = 10_000;
/** Long enough to notice a mistake and to reach Undo. */
const UNDO_LIFETIME_MS = 12_000;

export function enhanceToast(): void {
  const region = document.querySelector<HTMLElement>(".notices");
  if (region) openToast(region);
}

/** Shows the message of a fetched page in place of the previous one. */
export function showToast(region: HTMLElement | null | undefined): void {
  document.querySelector(".notices")?.remove();
  if (!region) return;
  document.querySelector(".frame")?.before(region);
  openToast(region);
}

function openToast(region: HTMLElement): void {
  const close = region.querySelector<HTMLButtonElement>("[data-toast-close]");
  close?.classList.remove("needs-script");
  close?.addEventListener("click", () => region.remove());
  // Problems, and texts to copy or open, wait for the reader.
  if (region.querySelector("[role=alert], a, [data-copy-text]")) return;
  const lifetimeMs = region.querySelector("form") ? UNDO_LIFETIME_MS : LIFETIME_MS;
  let timer = 0;
  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(leave, lifetimeMs);
  };
  const leave = () => (region.matches(":hover, :focus-within") ? wait() : region.remove());
  for (const type of ["pointerleave", "focusout"]) region.addEventListener(type, wait);
  wait();
}
