// Without it a submitted form waits silently; with it a slow answer shows as busy, and a second press sends nothing.

const SHOW_BUSY_AFTER_MS = 300;
const RELEASE_AFTER_MS = 15_000;

export function enhanceBusyForms(): void {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    // Forms that another behaviour sends, and downloads, are left alone.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.method !== "post" || submitter?.hasAttribute("data-download")) return;
    if (!tryMarkBusy(form, submitter)) return event.preventDefault();
    setTimeout(() => clearBusy(form), RELEASE_AFTER_MS);
  });
  // A page from the back/forward cache is usable again.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of document.forms) clearBusy(form);
  });
}

export function tryMarkBusy(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  if (form.getAttribute("aria-busy") === "true") return false;
  form.setAttribute("aria-busy", "true");
  setTimeout(
    () => form.hasAttribute("aria-busy") && submitter?.setAttribute("data-busy", ""),
    SHOW_BUSY_AFTER_MS,
  );
  return true;
}

export function clearBusy(form: HTMLFormElement): void {
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-busy]")) button.removeAttribute("data-busy");
}
