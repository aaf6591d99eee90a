// Without it a message stays in the page until the next one; with it, it is closed by a button, and one that offers nothing goes by itself.

const LIFETIME_MS = 10_000;

export function enhanceToast(): void {
  const region = document.querySelector<HTMLElement>(".notices");
  if (region) openToast(region);
}

/** Shows the message of a page that was fetched, in the place of the one before. */
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
  // What went wrong, and what can be undone or copied, waits for the reader.
  if (region.querySelector("[role=alert], form, a, [data-copy-text]")) return;
  let timer = 0;
  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(leave, LIFETIME_MS);
  };
  const leave = () => (region.matches(":hover, :focus-within") ? wait() : region.remove());
  wait();
}
