// Without it each tool brings the page again; with it the result comes beside the code in place, and Ctrl+Enter runs.
import { focusText, writeText } from "#app/enhance/editor/code-field.ts";
import { askForPart, sayRunning, sendPlainly } from "#app/enhance/page-part.ts";

const RESULT = "[data-tool-result]";

export function enhanceCodeTools(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-tools]");
  const area = form?.elements.namedItem("text");
  if (!form || !(area instanceof HTMLTextAreaElement)) return;
  const run = form.querySelector<HTMLButtonElement>("button[value=run]");
  form.querySelector("[data-tools-key]")?.classList.remove("needs-script");
  form.addEventListener("submit", (event) => void useTool(event, form));
  form.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !run) return;
      event.preventDefault();
      event.stopPropagation();
      if (form.getAttribute("aria-busy") !== "true") form.requestSubmit(run);
    },
    true,
  );
  document.addEventListener("submit", (event) => take(event, area));
}

/** The same form to the same page; only the result is taken from what comes back. */
async function useTool(event: SubmitEvent, form: HTMLFormElement): Promise<void> {
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const here = document.querySelector(RESULT);
  if (submitter.value === "run") sayRunning(here, true);
  const result = await askForPart(form, submitter, RESULT);
  form.removeAttribute("aria-busy");
  if (!result) return sendPlainly(form, submitter);
  here?.replaceChildren(...result.childNodes);
  // Below the code on a narrow screen, the result would be out of sight.
  here?.scrollIntoView({ block: "nearest" });
}

function take(event: SubmitEvent, area: HTMLTextAreaElement): void {
  const { target: form } = event;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-tool-take]")) return;
  event.preventDefault();
  writeText(area, String(new FormData(form).get("text")));
  focusText(area);
}
