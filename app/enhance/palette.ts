// Without it the page /go finds places, files and notes by a form; with it the same opens over any page and follows what is typed.
import { fetchPart } from "#app/enhance/page-part.ts";
import { openSheet } from "#app/enhance/sheet.ts";

const PATH = "/go";
const ASK_AFTER_MS = 120;
const RESULTS = "[data-go-results]";

export async function openPalette(): Promise<void> {
  const part = await openSheet(PATH, "[data-go]");
  const form = part?.querySelector<HTMLFormElement>("search form");
  const box = form?.querySelector("input");
  if (!part || !form || !box) return;
  box.focus();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const look = async () => {
    asked += 1;
    const mine = asked;
    const found = await fetchPart(`${PATH}?q=${encodeURIComponent(box.value)}`, RESULTS);
    if (found && mine === asked) part.querySelector(RESULTS)?.replaceWith(found);
  };
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, ASK_AFTER_MS);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    await look();
    links(part)[0]?.click();
  });
  part.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(part, box, step);
  });
}

const links = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>(`${RESULTS} a`)];

/** Between the box and what was found, and round. */
function move(part: HTMLElement, box: HTMLElement, step: number): void {
  const stops = [box, ...links(part)];
  const { activeElement: focused } = document;
  const at = focused instanceof HTMLElement ? stops.indexOf(focused) : -1;
  stops[(at + step + stops.length) % stops.length]?.focus();
}
