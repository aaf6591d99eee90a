import type { Page } from "playwright";
import { expect } from "vitest";
import { type JavaScript, journey, openMenu, signIn, signInCode } from "#tests/browser/stage.ts";
import { violations } from "./access-journeys.ts";

const attribute = (page: Page, name: string) => page.locator("html").getAttribute(name);

export function frameJourneys(javaScript: JavaScript): void {
  journey("the home page says what this is and leads to the login", javaScript, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("heading", { name: "Your code in one place" }).waitFor();
    await page.getByRole("link", { name: "Get started" }).click();
    await page.getByRole("heading", { name: "Local login" }).waitFor();
  });

  journey("language and theme are switched and kept, the page mirrored", javaScript, async ({ page }) => {
    await signIn(page, "Local reader");
    await page.goto("/files");
    expect(await attribute(page, "dir")).toBe("ltr");

    await openMenu(page, "Your account");
    await page.getByRole("button", { name: "עברית" }).click();
    await page.getByRole("heading", { name: "קבצים", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/files");
    expect(await attribute(page, "dir")).toBe("rtl");
    expect(await attribute(page, "lang")).toBe("he");
    const rail = await page.getByRole("navigation", { name: "ראשי" }).boundingBox();
    const heading = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(rail!.x).toBeGreaterThan(heading!.x);

    await openMenu(page, "החשבון שלכם");
    await page.getByRole("button", { name: "כהה" }).click();
    expect(await attribute(page, "data-theme")).toBe("dark");

    await openMenu(page, "החשבון שלכם");
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "Files", exact: true }).waitFor();
    expect(await attribute(page, "data-theme")).toBe("dark");
  });

  journey("logging out shuts the library, and logging in leads back", javaScript, async ({ page }) => {
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

  journey("a browser that has shown the code is not asked again", javaScript, async ({ page }) => {
    await page.goto(`/login?code=${signInCode()}`);
    await page.getByRole("button", { name: "Continue as Local reader" }).click();
    await page.waitForURL("**/dashboard");
    // What the page still asks for would be answered 401 after the session has ended.
    await page.waitForLoadState("networkidle");
    await page.goto("/logout");
    await page.goto("/login");
    expect(await page.getByLabel("Login code").count()).toBe(0);
    await page.getByRole("button", { name: "Continue as Local reader" }).click();
    await page.waitForURL("**/dashboard");
  });

  journey("a link of another site logs nobody out before they say so", javaScript, async ({ page }) => {
    await signIn(page, "Local reader", "/dashboard");
    const link = new URL("/logout", page.url());
    await page.goto(`data:text/html,<a href="${link}">A picture of a cat</a>`);
    await page.getByRole("link").click();
    await page.getByRole("heading", { name: "Log out?" }).waitFor();
    if (javaScript === "on") expect(await violations(page)).toEqual([]);
    expect((await page.request.get("/api/files")).status()).toBe(200);

    await page.locator("main").getByRole("button", { name: "Log out" }).click();
    expect(await page.getByRole("status").textContent()).toBe("Logged out");
  });

  journey("an address without a page says so inside the frame", javaScript, async ({ page, expectError }) => {
    expectError(/status of 404/);
    await page.goto("/nowhere");
    expect(await page.getByRole("alert").textContent()).toBe("This page doesn’t exist.");
    expect(await page.title()).toBe("Not found · Codeshelf");
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Your code in one place" }).waitFor();
  });

  journey(
    "administration is closed to a reader and runs a job for an administrator",
    javaScript,
    async ({ page, expectError }) => {
      expectError(/status of 403/);
      await signIn(page, "Local reader", "/dashboard");
      expect(await page.getByRole("link", { name: "Jobs" }).count()).toBe(0);
      await page.goto("/admin/jobs");
      expect(await page.getByRole("alert").textContent()).toBe("Administrators only.");

      await page.goto("/logout");
      await signIn(page, "Local administrator", "/dashboard");
      await page.getByRole("link", { name: "Jobs" }).click();
      const job = page.locator("form", {
        has: page.locator('input[name="job_id"][value="orphan_reconcile"]'),
      });
      await job.getByRole("button", { name: "Run now" }).click();
      expect(await page.getByRole("status").textContent()).toBe("Queued: Close runs of stopped workers");
      await page.goto("/admin/jobs?status=completed");
      await page.locator(".run-row, tr, li", { hasText: "Close runs of stopped workers" }).first().waitFor();
    },
  );

  journey(
    "on a phone the ways through the library are in a menu",
    javaScript,
    async ({ page }) => {
      await signIn(page, "Local reader", "/dashboard");
      await openMenu(page, "Menu");
      await page.getByRole("link", { name: "All files" }).click();
      await page.waitForURL("**/files");
    },
    { viewport: { width: 390, height: 780 } },
  );

  journey("the first stop of the keyboard skips to the content", javaScript, async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("main:focus").waitFor();
  });
}
