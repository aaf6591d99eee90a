/** The looks in which pages are inspected: from right to left and one that the commit draws, all of them with `--all`. */
import type { BrowserContextOptions, Page } from "playwright";
import { expect } from "vitest";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { openStill, smallTargets, widerThanScreen } from "./page-measures.ts";
import { type Person, productUrl, signIn } from "./stage.ts";

export type Look = { name: string; context: BrowserContextOptions; cookies: Record<string, string> };

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 375, height: 780 } };
const DARK = { colorScheme: "dark" } as const;

const RIGHT_TO_LEFT: Look = { name: "right to left", context: WIDE, cookies: { locale: "he" } };

const OTHER_LOOKS: readonly Look[] = [
  { name: "light", context: { viewport: { width: 1600, height: 900 } }, cookies: {} },
  { name: "dark, on a phone", context: PHONE, cookies: { theme: "dark" } },
  { name: "dark, by the system", context: { ...WIDE, ...DARK }, cookies: {} },
  { name: "high contrast", context: WIDE, cookies: { theme: "contrast" } },
  { name: "high contrast in the dark", context: { ...WIDE, ...DARK }, cookies: { theme: "contrast" } },
  {
    name: "high contrast in the dark, on a phone",
    context: { ...PHONE, ...DARK },
    cookies: { theme: "contrast" },
  },
  {
    name: "dark, right to left, on a phone",
    context: PHONE,
    cookies: { locale: "he", theme: "dark" },
  },
  { name: "the narrowest screen", context: { viewport: { width: 320, height: 640 } }, cookies: {} },
];

export const LOOKS = [RIGHT_TO_LEFT, ...drawCases("looks", OTHER_LOOKS, 1)];

/** As a person who has chosen a look. */
export async function signInWith(page: Page, person: Person, cookies: Look["cookies"]): Promise<void> {
  await signIn(page, person);
  const url = productUrl();
  await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}

/** Opens a page, with what is behind its buttons, and finds nothing wrong in it. */
export async function inspect(page: Page, path: string, behind: string): Promise<void> {
  await openStill(page, path);
  for (const button of await page.locator(behind).all())
    if (await button.isVisible()) await button.press("Enter");
  expect(await page.evaluate(smallTargets), `${path} has small targets`).toEqual([]);
  expect(await page.evaluate(widerThanScreen), `${path} scrolls sideways`).toBe(false);
}
