// Shared by what keeps the searches of a person in this browser, and only there.

const KEPT_MAX = 8;
const nameKey = (reader: string) => `recent-searches:${reader}`;

/** The last one first. */
export function listSearches(reader: string): string[] {
  const kept: unknown = JSON.parse(localStorage.getItem(nameKey(reader)) ?? "[]");
  return Array.isArray(kept) ? kept.filter((q) => typeof q === "string").slice(0, KEPT_MAX) : [];
}

export function keepSearch(reader: string, typed: string): void {
  const q = typed.trim();
  if (q === "") return;
  const others = listSearches(reader).filter((known) => known !== q);
  localStorage.setItem(nameKey(reader), JSON.stringify([q, ...others].slice(0, KEPT_MAX)));
}

export function forgetSearches(reader: string): void {
  localStorage.removeItem(nameKey(reader));
}
