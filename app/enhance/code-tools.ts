// Without it each tool brings the page again; with it the result comes beside the code in place, and Ctrl+Enter runs.
import { focusText, writeText } from "#app/enhance/code-field.ts";

export function enhanceCodeTools(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-tools]");
  const area = form?.elements.namedItem("text");
  if (!form || !(area instanceof HTMLTextAreaElement)) return;
  const run = form.querySelector<HTMLButtonElement>("button[value=run]");
  form.querySelector("[data-tools-key]")?.classList.remove("needs-script");
  form.addEventListener("submit", (event) => useTool(event, form));
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
function useTool(event: SubmitEvent, form: HTMLFormElement): void {
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "text/html");
  // A document by request is parsed without its scripts.
  request.responseType = "document";
  request.addEventListener("loadend", () => {
    form.removeAttribute("aria-busy");
    const result = request.response?.querySelector("[data-tool-result]");
    if (result) document.querySelector("[data-tool-result]")?.replaceChildren(...result.childNodes);
    else sendPlainly(form, submitter);
  });
  request.send(new FormData(form, submitter));
}

/** What comes back without a result, such as the end of a session, is a page of its own that keeps the code. */
function sendPlainly(form: HTMLFormElement, { name, value }: HTMLButtonElement): void {
  const intent = document.createElement("input");
  Object.assign(intent, { type: "hidden", name, value });
  form.append(intent);
  form.submit();
}

function take(event: SubmitEvent, area: HTMLTextAreaElement): void {
  const form = event.target as HTMLFormElement;
  if (!form.matches("[data-tool-take]")) return;
  event.preventDefault();
  writeText(area, (form.elements.namedItem("text") as HTMLInputElement).value);
  focusText(area);
}
