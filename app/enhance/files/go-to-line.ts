// Without it a typed line is found by loading the page again; with it the page goes there at once, where it has the line.

export function enhanceGoToLine(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-go-to-line]");
  form?.addEventListener("submit", (event) => {
    const typed = form.querySelector<HTMLInputElement>("input[type=number]")?.valueAsNumber;
    if (!document.getElementById(`L${typed}`)) return;
    event.preventDefault();
    location.hash = `L${typed}`;
  });
}
