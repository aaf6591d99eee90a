import { type Browser, chromium } from "playwright";
import { findBrowser } from "#tests/support/programs/find-browser.ts";

// Chromium refuses its sandbox to root, and none of what the rest switches off is wanted in a test.
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Opens Chromium, which the product is tested with. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser(process.env, console.log);
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
}
