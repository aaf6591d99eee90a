// Without it a form that was sent waits silently; with it a slow answer is seen to be under way, and a second press sends nothing.

/** An answer that comes sooner needs no sign. */
const SLOW_MS = 300;
/** After this long the form may be sent again. */
const GIVEN_UP_MS = 15_000;

export function enhanceBusyForms(): void {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    // Forms that another behaviour sends, and downloads, are left alone.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.method !== "post" || submitter?.hasAttribute("data-download")) return;
    if (!markBusy(form, submitter)) return event.preventDefault();
    setTimeout(() => releaseForm(form), GIVEN_UP_MS);
  });
  // After going back, the page is usable again.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of document.forms) releaseForm(form);
  });
}

/** False where the form is being sent already. */
export function markBusy(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  if (form.getAttribute("aria-busy") === "true") return false;
  form.setAttribute("aria-busy", "true");
  setTimeout(() => form.hasAttribute("aria-busy") && submitter?.setAttribute("data-busy", ""), SLOW_MS);
  return true;
}

export function releaseForm(form: HTMLFormElement): void {
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-busy]")) button.removeAttribute("data-busy");
}
