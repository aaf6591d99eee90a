import { expect } from "vitest";
import {
  detailJourney,
  formJourney,
  type JavaScript,
  journey,
  saveFiles,
  signIn,
} from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

const names = (page: WebPage) =>
  page.locator(".file-row .file-name").evaluateAll((links) => links.map((link) => link.textContent ?? ""));

/** The search box; JavaScript turns it into a combobox. */
export const findBox = <Box>(page: { locator(selector: string): Box }): Box =>
  page.locator("[data-search-key]");

export function findingJourneys(javaScript: JavaScript): void {
  formJourney(
    "files are searched, filtered and unfiltered, with the match marked in its line",
    javaScript,
    async ({ page }) => {
      const word = `קרפדה-${javaScript}`;
      const [python, yaml] = [`find-${javaScript}.py`, `find-${javaScript}.yaml`];
      await signIn(page, "Local administrator");
      await saveFiles(
        page,
        { name: python, text: `a = 1\nb = "${word} & <i>"\n` },
        { name: yaml, text: `a: ${word}\n` },
      );

      await page.goto(`/search?q=${encodeURIComponent(word.toUpperCase())}`);
      await page.getByRole("link", { name: "Files (2)" }).click();
      expect((await names(page)).sort()).toEqual([python, yaml].sort());
      expect(await page.locator(".match mark").first().textContent()).toBe(word);

      await page.goto(`/files?q=${encodeURIComponent(word.toUpperCase())}`);
      expect((await names(page)).sort()).toEqual([python, yaml].sort());
      expect(await page.locator(".match mark").first().textContent()).toBe(word);

      await page
        .getByRole("region", { name: "Languages" })
        .getByRole("link", { name: /^Python/ })
        .click();
      expect(await names(page)).toEqual([python]);
      await page.locator(".match").click();
      await page.getByRole("heading", { name: python }).waitFor();
      expect(new URL(page.url()).hash).toBe("#L2");

      await page.goBack();
      await page.getByRole("link", { name: "Remove filter Python" }).click();
      await page.getByRole("link", { name: yaml, exact: true }).waitFor();
      await findBox(page).fill("no such thing anywhere");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/search?q=*");
      await page.getByRole("heading", { name: /No results for/ }).waitFor();
    },
  );

  if (javaScript === "on")
    detailJourney(
      "the search box sends one query at a time, the latest text last, and shows that Enter waits",
      async ({ page }) => {
        await signIn(page, "Local administrator");
        await page.goto("/files");
        const requests: string[] = [];
        const releases: (() => void)[] = [];
        await page.route("**/go?*", async (route) => {
          requests.push(new URL(route.request().url()).searchParams.get("q") ?? "");
          await new Promise<void>((resolve) => releases.push(resolve));
          await route.continue();
        });
        await findBox(page).pressSequentially("nothingtofind", { delay: 100 });
        expect(requests).toHaveLength(1);
        await page.keyboard.press("Enter");
        await page.locator("form[aria-busy=true]").waitFor();
        releases[0]?.();
        await expect.poll(() => requests).toEqual([requests[0], "nothingtofind"]);
        releases[1]?.();
        await page.waitForURL(({ pathname }) => pathname === "/search");
      },
    );
}

export function searchKeyJourneys(): void {
  journey("the slash key goes to the search box, and is a slash inside it", async ({ page }) => {
    await signIn(page, "Local administrator", "/dashboard");
    await page.keyboard.press("/");
    await page.keyboard.type("a/b");
    expect(await findBox(page).inputValue()).toBe("a/b");
  });
}
