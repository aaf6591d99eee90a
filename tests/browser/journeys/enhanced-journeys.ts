import type { Page } from "playwright";
import { expect } from "vitest";
import { detailJourney, signIn, upload } from "#tests/browser/stage.ts";

const TEN_LINES = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join("\n");

export function enhancedJourneys(): void {
  detailJourney("a range of lines is selected by shift-click and by its address", async ({ page }) => {
    const marked = () => page.locator(".line-marked").evaluateAll((lines) => lines.map((line) => line.id));
    await signIn(page, "Local administrator");
    await upload(page, { name: "ten-lines.txt", text: TEN_LINES });

    await page.getByRole("link", { name: "4", exact: true }).click();
    await page.getByRole("link", { name: "7", exact: true }).click({ modifiers: ["Shift"] });
    expect(new URL(page.url()).hash).toBe("#L4-L7");
    expect(await marked()).toEqual(["L4", "L5", "L6", "L7"]);

    await page.reload();
    expect(await marked()).toEqual(["L4", "L5", "L6", "L7"]);
  });

  detailJourney(
    "dragging over line numbers selects lines, and a press on a number selects its line",
    async ({ page }) => {
      const marked = () => page.locator(".line-marked").evaluateAll((lines) => lines.map((line) => line.id));
      const dragOver = async (from: number, to: number) => {
        await page.locator(`#L${from} > .line-number`).hover();
        await page.mouse.down();
        await page.locator(`#L${to} > .line-number`).hover();
        await page.mouse.up();
      };
      await signIn(page, "Local administrator");
      await upload(page, { name: "dragged-lines.txt", text: TEN_LINES });

      await dragOver(3, 6);
      const bar = page.getByRole("toolbar", { name: "Selected lines" });
      await bar.getByRole("link", { name: "Share lines" }).waitFor();
      expect(await marked()).toEqual(["L3", "L4", "L5", "L6"]);
      expect(new URL(page.url()).hash).toBe("#L3-L6");
      expect(await page.evaluate(() => getSelection()!.toString())).toBe("");

      await dragOver(9, 8);
      expect(await marked()).toEqual(["L8", "L9"]);
      await page.getByRole("link", { name: "5", exact: true }).click();
      expect(new URL(page.url()).hash).toBe("#L5");
      expect(await marked()).toEqual(["L5"]);
    },
  );

  detailJourney("a file is copied with exactly its text", async ({ page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(page, "Local administrator");
    await upload(page, { name: "copied.txt", text: "one\n\n\tשתיים\n" });

    await page.getByRole("button", { name: "Copy", exact: true }).click();

    await page.getByRole("button", { name: "Copied", exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("one\n\n\tשתיים\n");
  });

  detailJourney("a menu closes by Escape, back to its button, and by a click elsewhere", async ({ page }) => {
    const menu = page.locator("details.person-menu");
    await page.goto("/");
    await menu.locator("summary").press("Enter");
    await page.getByRole("button", { name: "Dark" }).focus();
    await page.keyboard.press("Escape");
    expect(await menu.getAttribute("open")).toBeNull();
    await menu.locator("summary:focus").waitFor();

    await menu.locator("summary").click();
    await page.getByRole("heading", { level: 1 }).click();
    expect(await menu.getAttribute("open")).toBeNull();
  });

  detailJourney(
    "Back returns to the followed link in the list, a search and a file, with the same scroll position",
    async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 400 });
      await signIn(page, "Local administrator");
      const text = "left and found again\n".repeat(60);
      await upload(page, ...Array.from({ length: 12 }, (_, i) => ({ name: `left-${i}.txt`, text })));
      const put = await page.request.put("/api/files/left.txt", { data: text });
      const file = `/file/${(await put.json()).file_id}`;
      const places = [
        ["/files", `main a[href="${file}"]`],
        ["/search?q=left+and+found", `main a[href^="${file}"]`],
        [file, `main a[href^="${file}/"]`],
      ] as const;
      for (const [path, link] of places) {
        const answer = await page.goto(path);
        // With `no-store`, no browser keeps the page for Back.
        expect(answer?.headers()["cache-control"]).not.toContain("no-store");
        const followed = page.locator(link).first();
        await followed.evaluate((element: HTMLElement) => {
          element.scrollIntoView({ block: "start" });
          element.focus({ preventScroll: true });
        });
        const scrolled = await page.evaluate(() => scrollY);
        const href = await followed.getAttribute("href");
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.pathname + url.search !== path);

        await page.goBack();

        await page.locator(`a[href="${href}"]:focus`).waitFor();
        expect(await page.evaluate(() => scrollY)).toBe(scrolled);
      }
    },
  );

  /** Records for each page whether a view transition showed it. */
  const watchTransitions = (page: Page) =>
    page.addInitScript(() =>
      addEventListener("pagereveal", (event) => {
        const { viewTransition } = event as Event & { viewTransition?: unknown };
        sessionStorage.setItem("transition", String(Boolean(viewTransition)));
      }),
    );

  async function expectTransition(page: Page, isShown: boolean): Promise<void> {
    await page.getByRole("navigation").getByRole("link", { name: "Trash" }).first().click();
    await page.waitForURL("**/trash");
    const read = () => page.evaluate(() => sessionStorage.getItem("transition"));
    await expect.poll(read, { timeout: 10_000 }).toBe(String(isShown));
  }

  for (const [motion, isShown] of [
    ["no-preference", true],
    ["reduce", false],
  ] as const)
    detailJourney(
      `pages ${isShown ? "fade into each other" : "follow at once where motion is not wanted"}`,
      async ({ page }) => {
        await watchTransitions(page);
        await signIn(page, "Local reader", "/files");
        await expectTransition(page, isShown);
      },
      { reducedMotion: motion },
    );

  detailJourney(
    "a transition that the browser skips is not an error of the page",
    async ({ page }) => {
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.addInitScript(() =>
        addEventListener("pagereveal", (event) => {
          const { viewTransition } = event as Event & { viewTransition?: { skipTransition(): void } | null };
          viewTransition?.skipTransition();
        }),
      );
      await watchTransitions(page);
      await signIn(page, "Local reader", "/files");
      await expectTransition(page, true);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(errors).toEqual([]);
    },
    { reducedMotion: "no-preference" },
  );

  detailJourney(
    "pages follow at once if one was painted late after the previous page",
    async ({ page }) => {
      await watchTransitions(page);
      await signIn(page, "Local reader", "/files");
      await page.evaluate(() => sessionStorage.setItem("page-left-at", "0"));
      await page.reload();
      const isKept = () => page.evaluate(() => sessionStorage.getItem("without-transitions"));
      await expect.poll(isKept, { timeout: 10_000 }).toBe("1");
      await expectTransition(page, false);
    },
    { reducedMotion: "no-preference" },
  );
}
