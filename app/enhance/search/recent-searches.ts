// A person's searches, stored only in this browser.

const STORED_MAX = 8;
const nameKey = (reader: string) => `recent-searches:${reader}`;

export function listSearches(reader: string): string[] {
  const stored: unknown = JSON.parse(localStorage.getItem(nameKey(reader)) ?? "[]");
  return Array.isArray(stored) ? stored.filter((q) => typeof q === "string").slice(0, STORED_MAX) : [];
}

export function addRecentSearch(reader: string, typed: string): void {
  const q = typed.trim();
  if (q === "") return;
  const others = listSearches(reader).filter((it) => it !== q);
  localStorage.setItem(nameKey(reader), JSON.stringify([q, ...others].slice(0, STORED_MAX)));
}

export function forgetSearches(reader: string): void {
  localStorage.removeItem(nameKey(reader));
}
