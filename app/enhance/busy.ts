// Without it a form that was sent waits silently; with it a slow answer is seen to be under way, and a second press sends nothing.

/** An answer that comes sooner needs no sign. */
const SLOW_MS = 300;
/** Whoever has waited so long may press again. */
const GIVEN_UP_MS = 15_000;

export function enhanceBusyForms(): void {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    // What another behaviour sends by itself says so by itself, and what is downloaded leaves the page as it is.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.method !== "post" || submitter?.hasAttribute("data-download")) return;
    if (form.getAttribute("aria-busy") === "true") return event.preventDefault();
    form.setAttribute("aria-busy", "true");
    setTimeout(() => submitter?.setAttribute("data-busy", ""), SLOW_MS);
    setTimeout(() => release(form), GIVEN_UP_MS);
  });
  // A page that is gone back to is as it was before it was sent.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of document.forms) release(form);
  });
}

function release(form: HTMLFormElement): void {
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-busy]")) button.removeAttribute("data-busy");
}
