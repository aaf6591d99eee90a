import { type Browser, type BrowserServer, chromium } from "playwright";
import { findBrowser } from "#tests/support/programs/find-browser.ts";

// Chromium refuses its sandbox to root; no test needs what the other flags switch off.
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export const openBrowser = (): Promise<Browser> => chromium.launch(findProgram());

/** A browser that several processes share. */
export const openBrowserServer = (): Promise<BrowserServer> => chromium.launchServer(findProgram());

const findProgram = () => ({
  executablePath: findBrowser(process.env, console.log),
  args: CHROMIUM_FLAGS,
});
