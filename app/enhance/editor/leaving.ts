// Without it a logout discards forms that wait to be sent, if any can wait; with it a question comes first, and drafts are removed too.

import { clearDraftsOnLogout, hasDrafts } from "#app/enhance/editor/draft-store.ts";
import { listQueuedForms, removeQueuedForms } from "#app/enhance/offline/outbox-store.ts";
import { forgetSearches } from "#app/enhance/search/recent-searches.ts";

export function enhanceLeaving(): void {
  const { reader } = document.body.dataset;
  if (!reader) return;
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || form.dataset.leaving === undefined) return;
    event.preventDefault();
    void confirmAndLeave(form, submitter, reader);
  });
}

async function confirmAndLeave(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  reader: string,
): Promise<void> {
  // If the browser stores nothing, there is no question.
  const forms = await listQueuedForms(reader).catch(() => []);
  if ((forms.length > 0 || hasDrafts()) && !confirm(form.dataset.leaving)) return;
  if (forms.length > 0) await removeQueuedForms(reader);
  clearDraftsOnLogout();
  forgetSearches(reader);
  if (submitter instanceof HTMLButtonElement && submitter.name) {
    const chosen = document.createElement("input");
    Object.assign(chosen, { type: "hidden", name: submitter.name, value: submitter.value });
    form.append(chosen);
  }
  form.submit();
}
