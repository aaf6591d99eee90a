// Without it each tool brings the page again; with it the result comes beside the code in place, and Ctrl+Enter runs.
import { focusLine, focusText, readText, writeText } from "#app/enhance/editor/code-field.ts";
import { askForPart, sendPlainly } from "#app/enhance/page-part.ts";
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
  form.addEventListener("submit", (event) => void useTool(event, form, area));
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

/** The same form to the same page; only the result is taken from what comes back. A run has its own place and streams. */
async function useTool(event: SubmitEvent, form: HTMLFormElement, area: HTMLTextAreaElement): Promise<void> {
  const { submitter } = event;
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "intent") return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  const isDone =
    submitter.value === "run" && isRunnable(String(new FormData(form).get("language")))
      ? await runProgram(form, area)
      : await showResult(form, submitter);
  form.removeAttribute("aria-busy");
  if (!isDone) sendPlainly(form, submitter);
}

async function showResult(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<boolean> {
  const result = await askForPart(form, submitter, RESULT);
  const here = document.querySelector<HTMLElement>(RESULT);
  const dock = document.querySelector<HTMLElement>(DOCK);
  if (!result || !here) return false;
  if (dock) dock.hidden = true;
  here.hidden = false;
  here.replaceChildren(...result.childNodes);
  // Below the code on a narrow screen, the result would be out of sight.
  here.scrollIntoView({ block: "nearest" });
  return true;
}

async function runProgram(form: HTMLFormElement, area: HTMLTextAreaElement): Promise<boolean> {
  const { openRunDock } = await import("#app/enhance/editor/run-dock.ts");
  const sent = new FormData(form);
  const text = (name: string) => String(sent.get(name) ?? "");
  const options = form.querySelector<HTMLElement>(".tools-input");
  const fields = document.querySelector<HTMLElement>("[data-run-input]");
  const here = document.querySelector<HTMLElement>(RESULT);
  if (!fields || !here) return false;
  const dock = openRunDock({ fields, showLine: (line) => focusLine(area, line) });
  if (options) options.hidden = true;
  here.hidden = true;
  return dock.run({
    code: readText(area),
    language: text("language"),
    timeout: Number(text("timeout")) || undefined,
    stdin: text("stdin"),
    args: splitArguments(text("args")),
  });
}

function take(event: SubmitEvent, area: HTMLTextAreaElement): void {
  const { target: form } = event;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-tool-take]")) return;
  event.preventDefault();
  writeText(area, String(new FormData(form).get("text")));
  focusText(area);
}
