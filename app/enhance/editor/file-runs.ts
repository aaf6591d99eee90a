// Without it a run brings the page of the file again; with it the output comes in a dock below the code.

import { sendPlainly } from "#app/enhance/page-part.ts";
import { splitArguments } from "#domain/code-runs/run-arguments.ts";

export function enhanceFileRuns(): void {
  if (!document.querySelector("[data-run-dock]")) return;
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
  const { openRunDock } = await import("#app/enhance/editor/run-dock.ts");
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? "");
  const isTaken = await openRunDock({ fields: form }).run({
    file_id: form.dataset.runForm,
    version: Number(text("version")),
    keep: fields.has("keep"),
    timeout: Number(text("timeout")) || undefined,
    stdin: text("stdin"),
    args: splitArguments(text("args")),
  });
  if (!isTaken) sendPlainly(form, submitter);
}
