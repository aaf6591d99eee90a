// Without it a run brings the page of the file again; with it the result appears in place.

import { enhanceLocalTime } from "#app/enhance/local-time.ts";
import { askForPart, sayRunning, sendPlainly } from "#app/enhance/page-part.ts";
import { required } from "#domain/required.ts";

const PART = "[data-runs]";

export function enhanceFileRuns(): void {
  if (!document.querySelector(PART)) return;
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (
      !(form instanceof HTMLFormElement) ||
      !form.matches("[data-run-form]") ||
      !(submitter instanceof HTMLButtonElement)
    )
      return;
    event.preventDefault();
    void run(form, submitter);
  });
}

async function run(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<void> {
  if (form.getAttribute("aria-busy") === "true") return;
  const here = required(form.closest<HTMLDetailsElement>(PART), PART);
  form.setAttribute("aria-busy", "true");
  here.open = true;
  sayRunning(here, true);
  const part = await askForPart(form, submitter, PART);
  if (!part) return sendPlainly(form, submitter);
  here.replaceWith(part);
  enhanceLocalTime();
  // The button that was pressed is gone with the old part, so the focus moves to the result.
  const result = part.querySelector<HTMLElement>("[data-run-result], [role=alert]");
  result?.setAttribute("tabindex", "-1");
  result?.focus({ preventScroll: false });
}
