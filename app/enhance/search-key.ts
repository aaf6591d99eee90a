// Without it the search box is reached by Tab or a click; with it also by the `/` key.
import { isTyping } from "#app/enhance/typing.ts";

export function enhanceSearchKey(): void {
  const box = document.querySelector<HTMLInputElement>("[data-search-key]");
  if (!box || document.body.dataset.shortcuts === "off") return;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
}
