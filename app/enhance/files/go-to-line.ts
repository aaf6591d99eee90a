// Without it a typed line number reloads the page; with it the page scrolls there at once, if it has the line.

export function enhanceGoToLine(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-go-to-line]");
  form?.addEventListener("submit", (event) => {
    const line = form.querySelector<HTMLInputElement>("input[type=number]")?.valueAsNumber;
    if (!document.getElementById(`L${line}`)) return;
    event.preventDefault();
    location.hash = `L${line}`;
  });
}
