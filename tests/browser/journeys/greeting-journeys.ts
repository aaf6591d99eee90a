import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import { type JavaScript, journey, productUrl, signIn, signInAs } from "#tests/browser/stage.ts";

/** Of several web processes each shows a new announcement within three seconds; this one may not have yet. */
async function untilShown(page: Page, place: Locator): Promise<void> {
  const look = async () => {
    if (!(await place.isVisible())) await page.goto(page.url());
    return place.isVisible();
  };
  await expect.poll(look, { timeout: 10_000 }).toBe(true);
}

export function greetingJourneys(javaScript: JavaScript): void {
  journey("a newcomer is welcomed once and takes the tour away", javaScript, async ({ page }) => {
    await signInAs(page, javaScript === "on" ? "501" : "502", "Noa");
    await page.goto("/files");
    const welcome = page.getByRole("dialog", { name: "Welcome to Codeshelf" });
    await welcome.waitFor();
    const key = welcome.getByText("Press / to start.");
    await key.waitFor({ state: javaScript === "on" ? "visible" : "hidden" });
    await welcome.getByRole("button", { name: "Close" }).click();
    await welcome.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/files");
    await page.goto("/dashboard");
    expect(await welcome.count()).toBe(0);
  });

  journey("a newcomer starts with the sample library instead", javaScript, async ({ page }) => {
    await signInAs(page, javaScript === "on" ? "503" : "504", "Noa");
    await page.goto("/files");
    await page.getByRole("dialog").getByRole("button", { name: "Add sample files" }).click();
    await page.getByRole("heading", { name: "Welcome to your library" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    for (const lesson of ["Note", "Reminder", "Share", "Run"])
      await page
        .getByRole("listitem")
        .filter({ hasText: `${lesson}: click` })
        .waitFor();
    const welcome = await (await page.request.get("/api/files/welcome.md")).text();
    expect(welcome).toContain(`"Authorization: Bearer $TOKEN" ${productUrl()}/api/files/notes.txt`);
    await page.getByRole("link", { name: "retry.py", exact: true }).first().click();
    await page.locator("#L20").getByText("keep_trying").waitFor();
  });

  journey(
    "an announcement is written, activated, seen and dismissed",
    javaScript,
    async ({ page, expectError }) => {
      expectError(/status of 400/);
      const words = `We are moving the shelves to another house on Friday (${javaScript})`;
      await signIn(page, "Local administrator", "/admin/announcements");
      await page.getByLabel("Text").first().fill("x".repeat(281));
      await page.getByRole("button", { name: "Add announcement" }).click();
      await page.getByRole("alert").getByText("280 characters").waitFor();
      expect(await page.getByLabel("Text").first().inputValue()).toHaveLength(281);
      await page.getByLabel("Text").first().fill(words);
      await page.getByLabel("Link").first().fill("/files");
      await page.getByRole("button", { name: "Add announcement" }).click();
      const row = page.getByRole("listitem").filter({ hasText: words });
      await row.getByRole("button", { name: "Activate" }).click();

      const banner = page.getByRole("complementary", { name: "Announcement" });
      const link = banner.getByRole("link", { name: words });
      await untilShown(page, link);
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: 320, height: 640 });
      const isCut = await banner
        .locator(".banner-text")
        .evaluate((said) => said.scrollWidth > said.clientWidth);
      expect(isCut).toBe(false);
      await page.setViewportSize(size);
      await link.click();
      await page.waitForURL("**/files");
      await untilShown(page, link);
      await banner.getByRole("button", { name: "Dismiss announcement" }).click();
      await banner.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe("/files");

      await page.goto("/admin/announcements");
      expect(await banner.count()).toBe(0);
      await row.getByRole("button", { name: "Deactivate" }).click();
      await row.locator("summary", { hasText: "Delete" }).click();
      await row.getByRole("button", { name: "Delete announcement" }).click();
      await row.waitFor({ state: "detached" });
    },
  );

  journey(
    "a role is given and taken, access is ended, and an account is locked and unlocked",
    javaScript,
    async ({ page }) => {
      const id = javaScript === "on" ? "505" : "506";
      await signInAs(page, id, "Yael");
      await page.context().clearCookies();
      await signIn(page, "Local administrator", "/admin/users");
      await page.getByLabel("User ID").fill(id);
      await page.getByRole("button", { name: "Find" }).click();
      for (const role of ["premium", "regular"]) {
        await page.getByLabel(/^Role of/).selectOption(role);
        await page.getByRole("button", { name: "Set role" }).click();
        await page.getByRole("status").getByText("Role updated").waitFor();
        expect(await page.getByLabel(/^Role of/).inputValue()).toBe(role);
      }
      await page.locator("summary", { hasText: "End all access" }).click();
      await page.getByRole("button", { name: "End all access", exact: true }).click();
      await page.getByText("No sessions", { exact: true }).waitFor();
      await page.locator("summary", { hasText: "Lock" }).click();
      await page.getByRole("button", { name: "Lock account" }).click();
      await page.getByText("Locked", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Unlock" }).click();
      await page.getByRole("status").getByText("Account unlocked").waitFor();
    },
  );
}
