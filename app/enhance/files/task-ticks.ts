// Without it a task is ticked by sending a form, and the page comes again; with it, it is ticked in place.

import { askForPart, sendPlainly } from "#app/enhance/page-part.ts";
import { showToast } from "#app/enhance/toast.ts";

const TICK = ".task-tick";

export function enhanceTaskTicks(): void {
  const form = document.querySelector<HTMLFormElement>("form#tasks");
  form?.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (form.dataset.busy === undefined) void tick(form, button);
  });
}

/** The boxes and the version become those of the page that comes back, so that the next tick begins with them. */
async function tick(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  form.dataset.busy = "";
  button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
  const page = await askForPart(form, button, "body");
  delete form.dataset.busy;
  const renewed = page?.querySelector<HTMLFormElement>("form#tasks");
  const [before, after] = [form.ownerDocument, page].map((place) => [
    ...(place?.querySelectorAll<HTMLButtonElement>(TICK) ?? []),
  ]);
  if (!page || !renewed || before?.length !== after?.length) return sendPlainly(form, button);
  form.replaceChildren(...renewed.children);
  for (const [at, box] of (before ?? []).entries()) copyBox(box, after?.[at]);
  document.querySelector(".file-meta")?.replaceWith(...page.querySelectorAll(".file-meta"));
  showToast(page.querySelector<HTMLElement>(".notices"));
}

function copyBox(box: HTMLButtonElement, from: HTMLButtonElement | undefined): void {
  if (!from) return;
  box.value = from.value;
  box.setAttribute("aria-checked", from.getAttribute("aria-checked") ?? "false");
}
