import { type Browser, type BrowserServer, chromium } from "playwright";
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
export const openBrowser = (): Promise<Browser> => chromium.launch(findProgram());

/** One that several processes open pages in. */
export const openBrowserServer = (): Promise<BrowserServer> => chromium.launchServer(findProgram());

const findProgram = () => ({
  executablePath: findBrowser(process.env, console.log),
  args: CHROMIUM_FLAGS,
});
