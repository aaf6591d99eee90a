// Without it dismissing something reloads the page; with it the thing disappears at once.

export function enhanceDismissals(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-dismiss]"))
    form.addEventListener("submit", (event) => dismiss(event, form));
}

async function dismiss(event: SubmitEvent, form: HTMLFormElement): Promise<void> {
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } }).catch(
    () => null,
  );
  // If the server refuses, the form is sent as usual, and its page says why.
  if (!answer?.ok) return form.submit();
  form.closest("[data-dismissible]")?.remove();
  document.querySelector<HTMLElement>("#content")?.focus();
}
