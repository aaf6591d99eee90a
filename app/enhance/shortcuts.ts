// Without it everything is reached by Tab or a click; with it also by the keys listed at /help/shortcuts.

import { isTyping } from "#app/enhance/editor/typing.ts";
import { openPalette } from "#app/enhance/search/palette.ts";
import { openSheet } from "#app/enhance/sheet.ts";
import { GO_TO, isPlaceKey } from "#app/shortcuts.ts";

const GO_WITHIN_MS = 1500;

const ACTIONS: Record<string, () => void> = {
  "/": openPalette,
  "?": () => void openSheet("/help/shortcuts", "[data-shortcuts-help]"),
  n: () => {
    const add = document.querySelector<HTMLAnchorElement>("a[data-key=n]");
    if (add) add.click();
    else location.assign("/upload");
  },
  j: () => moveRowFocus(1),
  k: () => moveRowFocus(-1),
  o: () => findCurrentRow()?.click(),
  x: toggleCurrentRow,
  l: () => document.querySelector<HTMLInputElement>("[data-go-to-line] input[type=number]")?.focus(),
  e: () => document.querySelector<HTMLElement>("[data-key=e]")?.click(),
};

export function enhanceShortcuts(): void {
  if (!document.body.dataset.reader) return;
  const singleKeys = document.body.dataset.shortcuts !== "off";
  if (singleKeys) document.querySelector("[data-search-hint]")?.classList.remove("needs-script");
  let goUntil = 0;
  document.addEventListener("keydown", (event) => {
    const key = normalizeKey(event);
    if (key === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || ignoresKeys(event.target)) return;
    if (event.timeStamp < goUntil && isPlaceKey(key)) {
      location.assign(GO_TO[key]);
      return;
    }
    goUntil = key === "g" ? event.timeStamp + GO_WITHIN_MS : 0;
    const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

const ignoresKeys = (target: EventTarget | null) =>
  isTyping(target) || document.querySelector("dialog.sheet") !== null;

/** The Latin letter of the key, if the layout has another script. On a Hebrew layout the slash key types a full stop. */
function normalizeKey({ key, code }: KeyboardEvent): string {
  if (code === "Slash" && key === ".") return "/";
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  return letter && !/^[a-z]$/i.test(key) ? letter : key.length === 1 ? key.toLowerCase() : key;
}

const listRows = () => [...document.querySelectorAll<HTMLElement>("[data-row]")];

function findCurrentRow(): HTMLElement | null | undefined {
  return document.activeElement?.closest("li")?.querySelector<HTMLElement>("[data-row]");
}

function moveRowFocus(step: number): void {
  const rows = listRows();
  const current = findCurrentRow();
  const index = current ? rows.indexOf(current) : -1;
  const next = index === -1 ? (step > 0 ? 0 : rows.length - 1) : index + step;
  rows[next]?.focus();
}

function toggleCurrentRow(): void {
  findCurrentRow()?.closest("li")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
}
