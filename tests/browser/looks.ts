/** The variants in which pages are inspected: right to left and one that the commit draws, or all with `--all`. */
import { drawCases } from "#tests/support/test-runs/tier.ts";

export type Look = {
  name: string;
  size: { width: number; height: number };
  locale: "en" | "he";
  theme: "light" | "dark" | "contrast";
};

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 780 };

/** Covers every width, direction and line thickness; other colours move nothing. */
const RIGHT_TO_LEFT: Look = { name: "right to left", size: WIDE, locale: "he", theme: "light" };
const OTHER_LOOKS: readonly Look[] = [
  { name: "dark, on a phone", size: PHONE, locale: "en", theme: "dark" },
  { name: "light", size: { width: 1600, height: 900 }, locale: "en", theme: "light" },
  { name: "high contrast", size: WIDE, locale: "en", theme: "contrast" },
  { name: "dark, right to left, on a phone", size: PHONE, locale: "he", theme: "dark" },
  { name: "the narrowest screen", size: { width: 320, height: 640 }, locale: "en", theme: "light" },
];

/** By language: a page is loaded in the first look of each, and changed into the others. */
export const LOOKS = Map.groupBy(
  [RIGHT_TO_LEFT, ...drawCases("looks", OTHER_LOOKS, 1)],
  ({ locale }) => locale,
).values();
