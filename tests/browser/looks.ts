/** The variants in which pages are inspected: right to left and one that the commit draws, or all with `--all`. */
import type { BrowserContextOptions } from "playwright";
import { drawCases } from "#tests/support/test-runs/tier.ts";

type Look = { name: string; context: BrowserContextOptions; cookies: Record<string, string> };

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 375, height: 780 } };

const RIGHT_TO_LEFT: Look = { name: "right to left", context: WIDE, cookies: { locale: "he" } };

/** Covers every width, direction and line thickness; other colours move nothing. */
const OTHER_LOOKS: readonly Look[] = [
  { name: "light", context: { viewport: { width: 1600, height: 900 } }, cookies: {} },
  { name: "dark, on a phone", context: PHONE, cookies: { theme: "dark" } },
  { name: "high contrast", context: WIDE, cookies: { theme: "contrast" } },
  { name: "dark, right to left, on a phone", context: PHONE, cookies: { locale: "he", theme: "dark" } },
  { name: "the narrowest screen", context: { viewport: { width: 320, height: 640 } }, cookies: {} },
];

export const LOOKS = [RIGHT_TO_LEFT, ...drawCases("looks", OTHER_LOOKS, 1)];
