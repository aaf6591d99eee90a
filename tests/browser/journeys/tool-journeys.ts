import type { Page } from "playwright";
import { expect } from "vitest";
import {
  detailJourney,
  type FormVisit,
  fillCode,
  formJourney,
  type JavaScript,
  openFileMenu,
  saveFiles,
  signIn,
} from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

/** The first run waits until Python is prepared. */
const FIRST_RUN = { timeoutMs: 90_000 };

const press = (page: WebPage, name: string) => page.getByRole("button", { name, exact: true }).click();

export function toolJourneys(javaScript: JavaScript): void {
  const walkThrough = async ({ page }: FormVisit) => {
    await signIn(page, "Local administrator", "/tools/code");
    const result = page.getByRole("region", { name: "Result" });
    await fillCode(page, javaScript, "import os\nprint( 6*7 )\n");
    await press(page, "Check");
    await result.getByText("`os` imported but unused").waitFor();
    await fillCode(page, javaScript, "print( 6*7 )\n");
    await press(page, "Format");
    await press(page, "Use formatted code");
    await press(page, "Format");
    await result.getByText("Already formatted (ruff)").waitFor();
    await press(page, "Run");
    await result.getByText("Finished").waitFor({ timeout: 60_000 });
    await result.getByText("42", { exact: true }).waitFor();

    await page.getByLabel("File name").fill(`tool-${javaScript}.py`);
    await press(page, "Save as a file");
    await page.waitForURL("**/file/*");
    await openFileMenu(page);
    await page.getByRole("link", { name: "Code tools" }).last().click();
    await page.waitForURL("**/tools/code?file=*");
    expect(await page.getByLabel("File name").inputValue()).toBe(`tool-${javaScript}.py`);
  };
  formJourney("code is checked, formatted, accepted, run and saved", javaScript, walkThrough, FIRST_RUN);

  const runFile = async ({ page, drawn }: FormVisit) => {
    await signIn(page, "Local administrator");
    await saveFiles(page, { name: `run-${javaScript}.py`, text: "print('ran ' + 'well')\n" });
    await page.getByRole("heading", { name: `run-${javaScript}.py` }).waitFor();
    await press(page, "Run");
    const result = page.getByRole("region", { name: "Result" });
    await result.getByText("ran well").waitFor({ timeout: 60_000 });
    await result.getByText(/Version 1\b/).waitFor();

    if (drawn) {
      // The ended run is listed without a reload.
      await page.locator("#runs > summary", { hasText: "Finished" }).waitFor();
      await page.locator("summary", { hasText: "Input and options" }).click();
    }
    await page.getByLabel("Save output").uncheck();
    await press(page, "Run version 1");
    await result.getByText("Not saved").waitFor({ timeout: 60_000 });
    await page.goto(new URL(page.url()).pathname);
    await page.locator("summary", { hasText: "Runs" }).click();
    const savedOutputs = page.getByRole("list", { name: "Saved outputs" }).getByRole("listitem");
    expect(await savedOutputs.count()).toBe(1);
    await savedOutputs.getByRole("link").click();
    await result.getByText("ran well").waitFor();

    await press(page, "Delete outputs");
    await savedOutputs.waitFor({ state: "detached" });
    await press(page, "Stop saving outputs");
    await page.getByText("Outputs are not saved.").waitFor();
    expect(await page.getByLabel("Save output").isChecked()).toBe(false);
    await press(page, "Save outputs");
    await page.getByText("are saved for 30 days").waitFor();
  };
  formJourney("a file is run on its own page, and its results are saved and deleted", javaScript, runFile, {
    ...FIRST_RUN,
    isMain: true,
  });
}

/** The position of the first word of a text on the screen. */
const findFirstWord = (page: Page, selector: string, word: string) =>
  page.locator(selector).evaluate((place, first) => {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const offset = walker.currentNode.textContent!.indexOf(first);
      if (offset < 0) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, offset);
      range.setEnd(walker.currentNode, offset + first.length);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    }
    return null;
  }, word);

export function runEnhancements(): void {
  detailJourney(
    "a long line of Hebrew output is read from its beginning on a phone",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await saveFiles(page, { name: "asks-hebrew.py", text: "print('ראשונה ' + 'שלום דנה ' * 30)\n" });
      await press(page, "Run");
      await page.getByRole("region", { name: "Result" }).getByText("Finished").waitFor({ timeout: 60_000 });
      const live = await findFirstWord(page, "[data-dock-output]", "ראשונה");
      expect(live!.left).toBeGreaterThan(0);
      expect(live!.right).toBeLessThan(390);

      await page.locator("#runs > summary", { hasText: "Runs" }).click();
      await page.getByRole("list", { name: "Saved outputs" }).getByRole("link").first().click();
      await page.locator(".run-output").first().waitFor();
      const savedPosition = await findFirstWord(page, ".run-output", "ראשונה");
      expect(savedPosition!.left).toBeGreaterThan(0);
      expect(savedPosition!.right).toBeLessThan(390);
    },
    { ...FIRST_RUN, viewport: { width: 390, height: 800 } },
  );

  detailJourney(
    "a program gets its last input again after an edit, and an old failure names its version",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const name = "asks.py";
      await saveFiles(page, { name, text: "print('Hello ' + input())\nprint(1 / 0)\n" });
      await page.locator("summary", { hasText: "Runs" }).click();
      await page.locator("textarea[name=stdin]").fill("Dana");
      await press(page, "Run version 1");
      const result = page.getByRole("region", { name: "Result" });
      await result.getByText("Hello Dana").waitFor({ timeout: 60_000 });
      await page.locator("#runs > summary", { hasText: "Failed" }).waitFor();

      await saveFiles(page, { name, text: "print('Bye ' + input())\n" });
      await page.locator("#runs > summary", { hasText: "Version 1" }).waitFor();
      await page.keyboard.press("Control+Enter");
      await result.getByText("Bye Dana").waitFor({ timeout: 60_000 });
    },
    FIRST_RUN,
  );

  detailJourney(
    "a program that ends because it lacks input gets the next typed text as input",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await saveFiles(page, { name: "greets.py", text: "print('Hello ' + input())\n" });
      const { pathname } = new URL(page.url());
      const result = page.getByRole("region", { name: "Result" });
      await press(page, "Run");
      await result.getByText("This program reads input.").waitFor({ timeout: 60_000 });
      await page.keyboard.type("Zoe");
      await page.keyboard.press("Control+Enter");
      await result.getByText("Hello Zoe").waitFor({ timeout: 60_000 });
      expect(new URL(page.url()).pathname).toBe(pathname);

      await page.goto("/tools/code");
      await fillCode(page, "on", "print('Bye ' + input())\n");
      await press(page, "Run");
      await result.getByText("This program reads input.").waitFor({ timeout: 60_000 });
      await page.keyboard.type("Zoe");
      expect(await page.locator("textarea[name=stdin]").inputValue()).toBe("Zoe");
    },
    FIRST_RUN,
  );

  detailJourney(
    "a program with saved output continues when its page is left, and each output has a name of its own",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await saveFiles(page, {
        name: "left.py",
        text: "import time\nprint('began', flush=True)\ntime.sleep(3)\n",
      });
      const address = page.url();
      const result = page.getByRole("region", { name: "Result" });
      const links = page.getByRole("list", { name: "Saved outputs" }).getByRole("link");
      const countOutputs = async () => {
        await page.goto(`${address}?run=none`);
        return links.count();
      };
      for (const count of [1, 2]) {
        await page.goto(address);
        await press(page, "Run");
        await result.getByText("began").waitFor({ timeout: 60_000 });
        await page.reload();
        const current = page.getByRole("region", { name: "Current run" });
        await current.getByText("began").waitFor();
        if (count === 1) await result.getByText("Finished").waitFor({ timeout: 20_000 });
        await page.goto("/files");
        await expect.poll(countOutputs, { timeout: 20_000 }).toBe(count);
      }
      await page.locator("#runs > summary", { hasText: "Finished" }).waitFor();
      const names = await links.allTextContents();
      expect(names.filter((name) => /^Run of .*\d\d:\d\d:\d\d$/.test(name))).toEqual(names);
      expect(new Set(names).size).toBe(2);
    },
    FIRST_RUN,
  );

  detailJourney(
    "a running program is stopped by a button that is labelled on a phone, and that is not a failure",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await saveFiles(page, { name: "endless.py", text: "while True:\n    pass\n" });
      const id = new URL(page.url()).pathname.split("/").at(-1);
      // Content that scripts fetch from a file's page with notes must not violate this page's policy.
      await page.request.post(`/api/sticky-notes/${id}`, { data: { content: "never ends", line_start: 1 } });
      await page.reload();
      await press(page, "Run");
      const dock = page.getByRole("region", { name: "Result" });
      await dock.getByText("Running…").waitFor({ timeout: 60_000 });
      const stop = dock.getByRole("button", { name: "Stop", exact: true });
      const word = await stop.evaluate((button) => {
        const range = document.createRange();
        range.selectNodeContents(button.lastChild ?? button);
        return range.getBoundingClientRect().width;
      });
      expect(word).toBeGreaterThan(20);
      await stop.click();
      await dock.locator(".status-stopped", { hasText: "Stopped" }).waitFor();
      const noted = page.locator("#runs > summary .status-stopped", { hasText: "Stopped" });
      await noted.waitFor({ state: "attached" });
    },
    { ...FIRST_RUN, viewport: { width: 390, height: 800 } },
  );
}
