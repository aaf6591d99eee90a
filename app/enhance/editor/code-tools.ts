// Without it each tool reloads the page; with it the result appears beside the code, and Ctrl+Enter runs.
import { focusLine, focusText, readFieldText, writeFieldText } from "#app/enhance/editor/code-field.ts";
import { submitAsPage, submitForPart } from "#app/enhance/page-part.ts";
import { isRunnable } from "#domain/code-runs/code-run.ts";
import { splitArguments } from "#domain/code-runs/run-arguments.ts";

const RESULT = "[data-tool-result]";
const DOCK = "[data-run-dock]";

export function enhanceCodeTools(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-tools]");
  const area = form?.elements.namedItem("text");
  if (!form || !(area instanceof HTMLTextAreaElement)) return;
  const run = form.querySelector<HTMLButtonElement>("button[value=run]");
  form.querySelector("[data-tools-key]")?.classList.remove("needs-script");
  form.addEventListener("submit", (event) => void submitTool(event, form, area));
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
  document.addEventListener("submit", (event) => replaceTextWithResult(event, area));
}

/** Sends the form to its page and takes only the result from the answer. A run streams into its own dock. */
async function submitTool(
  event: SubmitEvent,
  form: HTMLFormElement,
  area: HTMLTextAreaElement,
): Promise<void> {
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const isDone =
    submitter.value === "run" && isRunnable(String(new FormData(form).get("language")))
      ? await runProgram(form, area)
      : await fetchAndShowResult(form, submitter);
  form.removeAttribute("aria-busy");
  if (!isDone) submitAsPage(form, submitter);
}

async function fetchAndShowResult(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<boolean> {
  const result = await submitForPart(form, submitter, RESULT);
  const currentResult = document.querySelector<HTMLElement>(RESULT);
  const dock = document.querySelector<HTMLElement>(DOCK);
  if (!result || !currentResult) return false;
  if (dock) dock.hidden = true;
  currentResult.hidden = false;
  currentResult.replaceChildren(...result.childNodes);
  // On a narrow screen the result is below the code, out of sight.
  currentResult.scrollIntoView({ block: "nearest" });
  return true;
}

async function runProgram(form: HTMLFormElement, area: HTMLTextAreaElement): Promise<boolean> {
  const { openRunDock } = await import("#app/enhance/editor/run-dock.ts");
  const formData = new FormData(form);
  const text = (name: string) => String(formData.get(name) ?? "");
  const options = form.querySelector<HTMLElement>(".tools-input");
  const fields = document.querySelector<HTMLElement>("[data-run-input]");
  const result = document.querySelector<HTMLElement>(RESULT);
  if (!fields || !result) return false;
  const dock = openRunDock({ fields, showLine: (line) => focusLine(area, line) });
  if (options) options.hidden = true;
  result.hidden = true;
  return dock.run({
    code: readFieldText(area),
    language: text("language"),
    timeout: Number(text("timeout")) || undefined,
    stdin: text("stdin"),
    args: splitArguments(text("args")),
  });
}

function replaceTextWithResult(event: SubmitEvent, area: HTMLTextAreaElement): void {
  const { target: form } = event;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-tool-take]")) return;
  event.preventDefault();
  writeFieldText(area, String(new FormData(form).get("text")));
  focusText(area);
}
