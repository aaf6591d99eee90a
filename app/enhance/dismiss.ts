// Without it waving something away brings the page anew; with it the thing goes at once and the page stays as it is.

export function enhanceDismissals(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-dismiss]"))
    form.addEventListener("submit", (event) => dismiss(event, form));
}

async function dismiss(event: SubmitEvent, form: HTMLFormElement): Promise<void> {
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } }).catch(
    () => null,
  );
  // What the server did not take is sent the plain way, which says why.
  if (!answer?.ok) return form.submit();
  form.closest("[data-dismissible]")?.remove();
  document.querySelector<HTMLElement>("#content")?.focus();
}
