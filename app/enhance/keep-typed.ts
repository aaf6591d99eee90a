// Without it a text that was sent after the session had ended is lost; with it it is back in its form after logging in.

const KEY = "typed";
// The only page on the way from a form that was turned away back to it.
const WAY_BACK = "/login";

type Kept = { path: string; fields: Record<string, string> };

export function enhanceKeepTyped(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-keep-typed]");
  const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (kept && form && kept.path === location.pathname) fill(form, kept.fields);
  if (location.pathname !== WAY_BACK) sessionStorage.removeItem(KEY);
  form?.addEventListener("submit", () => keep(form));
}

function keep(form: HTMLFormElement): void {
  const texts = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === "string",
  );
  const kept: Kept = { path: location.pathname, fields: Object.fromEntries(texts) };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A text larger than the browser's store is sent as it would be without this file.
  }
}

/** What the page already shows is newer than what was kept. */
function fill(form: HTMLFormElement, fields: Record<string, string>): void {
  for (const [name, text] of Object.entries(fields)) {
    const field = form.elements.namedItem(name);
    const typable =
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement;
    if (typable && field.value === "") field.value = text;
  }
}
