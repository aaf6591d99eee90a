import { expect } from "vitest";
import { formJourney, type JavaScript, openMenu, signIn, signInCode } from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";
import { violations } from "./access-journeys.ts";

const attribute = (page: WebPage, name: string) => page.locator("html").getAttribute(name);

export function frameJourneys(javaScript: JavaScript): void {
  formJourney(
    "language and theme are switched and kept, the page mirrored",
    javaScript,
    async ({ page, drawn }) => {
      await signIn(page, "Local reader");
      await page.goto("/files");
      expect(await attribute(page, "dir")).toBe("ltr");

      await openMenu(page, "Your account");
      await page.getByRole("button", { name: "עברית" }).click();
      await page.getByRole("heading", { name: "קבצים", exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/files");
      expect(await attribute(page, "dir")).toBe("rtl");
      expect(await attribute(page, "lang")).toBe("he");
      if (drawn) {
        const rail = await drawn.getByRole("navigation", { name: "ראשי" }).boundingBox();
        const heading = await drawn.getByRole("heading", { level: 1 }).boundingBox();
        expect(rail!.x).toBeGreaterThan(heading!.x);
      }

      await openMenu(page, "החשבון שלכם");
      await page.getByRole("button", { name: "כהה" }).click();
      expect(await attribute(page, "data-theme")).toBe("dark");

      await openMenu(page, "החשבון שלכם");
      await page.getByRole("button", { name: "English" }).click();
      await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
      expect(await attribute(page, "data-theme")).toBe("dark");
    },
  );

  formJourney("logging out closes the library, and logging in leads back", javaScript, async ({ page }) => {
    await signIn(page, "Local reader", "/dashboard");
    await openMenu(page, "Your account");
    await page.getByRole("button", { name: "Log out", exact: true }).click();
    expect(await page.getByRole("status").textContent()).toBe("Logged out");

    await page.goto("/files?lang=ruby");
    await page.waitForURL("**/login?next=*");
    await page.getByLabel("Login code").fill(signInCode());
    await page.getByRole("button", { name: "Continue as Local reader" }).click();

    await page.waitForURL("**/files?lang=ruby");
    await page.getByRole("heading", { name: "No matching files" }).waitFor();
  });

  formJourney(
    "a link of another site logs nobody out before they say so",
    javaScript,
    async ({ page, drawn }) => {
      await signIn(page, "Local reader", "/dashboard");
      const link = new URL("/logout", page.url());
      if (drawn) {
        await page.goto(`data:text/html,<a href="${link}">A picture of a cat</a>`);
        await page.getByRole("link").click();
      } else await page.goto("/logout", { referer: "https://elsewhere.example/" });
      await page.getByRole("heading", { name: "Log out?" }).waitFor();
      if (drawn) expect(await violations(drawn)).toEqual([]);
      expect((await page.request.get("/api/files")).status()).toBe(200);

      await page.locator("main").getByRole("button", { name: "Log out" }).click();
      expect(await page.getByRole("status").textContent()).toBe("Logged out");
    },
  );
}
