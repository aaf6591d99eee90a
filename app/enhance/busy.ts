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
    if (form.getAttribute("aria-busy") === "true") return event.preventDefault();
    form.setAttribute("aria-busy", "true");
    setTimeout(() => submitter?.setAttribute("data-busy", ""), SLOW_MS);
    setTimeout(() => release(form), GIVEN_UP_MS);
  });
  // After going back, the page is usable again.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const form of document.forms) release(form);
  });
}

function release(form: HTMLFormElement): void {
  form.removeAttribute("aria-busy");
  for (const button of form.querySelectorAll("[data-busy]")) button.removeAttribute("data-busy");
}
