/**
 * Invisible characters that change the reading order of what follows, so that code reads differently from how it runs. They are shown by
 * name instead.
 */
const NAMES: Record<string, string> = {
  "\u061C": "ALM",
  "\u200E": "LRM",
  "\u200F": "RLM",
  "\u202A": "LRE",
  "\u202B": "RLE",
  "\u202C": "PDF",
  "\u202D": "LRO",
  "\u202E": "RLO",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
};

const ANY = new RegExp(`[${Object.keys(NAMES).join("")}]`, "g");

/** Characters that change the direction until they are closed. Marks that affect only one position stay. */
const OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g;

/** Removes the characters that would reorder a name, so that a page shows it letter by letter as written. */
export function removeBidiOverrides(name: string): string {
  return name.replace(OVERRIDES, "");
}

export function hasBidiControls(html: string): boolean {
  return html.search(ANY) >= 0;
}

export function showBidiControls(html: string): string {
  return html.replace(ANY, (char) => `<span class="bidi-control">${NAMES[char]}</span>`);
}
