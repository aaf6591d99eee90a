// Without it ticking a task sends a form and reloads the page; with it the task is ticked in place.

import { submitAsPage, submitForPart } from "#app/enhance/page-part.ts";
import { showToast } from "#app/enhance/toast.ts";

const TICK = ".task-tick";

export function enhanceTaskTicks(): void {
  const form = document.querySelector<HTMLFormElement>("form#tasks");
  form?.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (form.dataset.busy === undefined) void submitTick(form, button);
  });
}

/** Sends the tick and copies the boxes and the version from the returned page, so that the next tick starts from them. */
async function submitTick(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  form.dataset.busy = "";
  button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
  const page = await submitForPart(form, button, "body");
  delete form.dataset.busy;
  const newForm = page?.querySelector<HTMLFormElement>("form#tasks");
  const [before, after] = [form.ownerDocument, page].map((root) => [
    ...(root?.querySelectorAll<HTMLButtonElement>(TICK) ?? []),
  ]);
  if (!page || !newForm || before?.length !== after?.length) return submitAsPage(form, button);
  form.replaceChildren(...newForm.children);
  for (const [index, box] of (before ?? []).entries()) copyBox(box, after?.[index]);
  document.querySelector(".file-meta")?.replaceWith(...page.querySelectorAll(".file-meta"));
  showToast(page.querySelector<HTMLElement>(".notices"));
}

function copyBox(box: HTMLButtonElement, from: HTMLButtonElement | undefined): void {
  if (!from) return;
  box.value = from.value;
  box.setAttribute("aria-checked", from.getAttribute("aria-checked") ?? "false");
}
