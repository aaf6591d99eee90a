import { requireElement } from "#app/enhance/require-element.ts";

// Without it a choice of files is the browser's own control in the browser's own words; with it the words are the page's.
export function enhanceFileFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-file-field]")) {
    const input = requireElement<HTMLInputElement>(field, "input");
    const names = requireElement(field, "[data-names]");
    const { names: none = "" } = names.dataset;
    const tell = () => {
      const chosen = [...(input.files ?? [])].map(({ name }) => name);
      names.textContent = chosen.join(", ") || none;
    };
    input.addEventListener("change", tell);
    // Another behaviour may add files or take some away.
    field.addEventListener("files:changed", tell);
    input.form?.addEventListener("reset", () => setTimeout(tell));
    tell();
    requireElement(field, ".file-field-words").hidden = false;
  }
}
