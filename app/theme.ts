import { hasItem } from "#domain/typed-keys.ts";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

export function isTheme(text: unknown): text is Theme {
  return hasItem(THEMES, text);
}
