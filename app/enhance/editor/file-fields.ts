// Without it a choice of files is the browser's own control in the browser's own words; with it the words are the page's.
export function enhanceFileFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-file-field]")) {
    const input = field.querySelector("input")!;
    const names = field.querySelector<HTMLElement>("[data-names]")!;
    const tell = () => {
      const chosen = [...(input.files ?? [])].map(({ name }) => name);
      names.textContent = chosen.join(", ") || names.dataset.names!;
    };
    input.addEventListener("change", tell);
    // Another behaviour may add files or take some away.
    field.addEventListener("files:changed", tell);
    input.form?.addEventListener("reset", () => setTimeout(tell));
    tell();
    field.querySelector<HTMLElement>(".file-field-words")!.hidden = false;
  }
}
