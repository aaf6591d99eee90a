import { requireElement } from "#app/enhance/require-element.ts";

// Without it a file input speaks the browser's language; with it the page's.
export function enhanceFileFields(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-file-field]")) {
    const input = requireElement<HTMLInputElement>(field, "input");
    const names = requireElement(field, "[data-names]");
    const { names: none = "" } = names.dataset;
    const showNames = () => {
      const fileNames = [...(input.files ?? [])].map(({ name }) => name);
      names.textContent = fileNames.join(", ") || none;
    };
    input.addEventListener("change", showNames);
    // Other behaviours may add or remove files.
    field.addEventListener("files:changed", showNames);
    input.form?.addEventListener("reset", () => setTimeout(showNames));
    showNames();
    requireElement(field, ".file-field-words").hidden = false;
  }
}
