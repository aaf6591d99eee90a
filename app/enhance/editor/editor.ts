// Without it a text is saved by its button; with it also by Ctrl+S.

export function enhanceSaveKey(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-editor]");
  if (!form) return;
  form.querySelector(".needs-script")?.classList.remove("needs-script");
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
