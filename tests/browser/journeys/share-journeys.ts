import { expect } from "vitest";
import { formJourney, type JavaScript, saveFiles, signIn, signInAs } from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

const addressIn = (page: WebPage) => page.getByRole("textbox", { name: /^Link to/ }).inputValue();

export function shareJourneys(javaScript: JavaScript): void {
  formJourney(
    "a file is shared, read by a stranger, saved by another, and revoked",
    javaScript,
    async ({ page, another }) => {
      const name = `share-${javaScript}.py`;
      await signIn(page, "Local administrator");
      await saveFiles(page, { name, text: "first = 1\nsecond = 2\nthird = 3\n" });
      await page.getByRole("link", { name: "Share", exact: true }).click();
      await page.getByRole("radio", { name: "Selected lines" }).check();
      await page.getByLabel("Lines", { exact: true }).fill("2-3");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("status").getByText("Link created for").waitFor();
      const address = await addressIn(page);

      const stranger = await another();
      await stranger.goto(address);
      await stranger.getByRole("heading", { name }).waitFor();
      expect(await stranger.locator(".line").allTextContents()).toEqual(["2second = 2", "3third = 3"]);
      expect(await stranger.context().cookies()).toEqual([]);
      await stranger.getByRole("link", { name: "Log in to save" }).click();
      await stranger.waitForURL("**/login?next=*");
      await signInAs(stranger, javaScript === "on" ? "611" : "612", "Omer");
      await stranger.request.post("/api/welcome/ack");
      await stranger.goto(stranger.url());
      await stranger.waitForURL(address);
      await stranger.getByRole("button", { name: "Save to library" }).click();
      await stranger.getByRole("heading", { name: `${name}.md` }).waitFor();

      await page.goto("/shares");
      const row = page.getByRole("listitem").filter({ hasText: name });
      expect(await row.locator("dd").first().textContent()).toBe("2");
      await row.locator("summary", { hasText: "Revoke" }).click();
      await row.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("Link revoked").waitFor();
      expect((await stranger.goto(address))!.status()).toBe(404);
      await stranger.getByText("This link doesn’t exist or has expired.").waitFor();
    },
  );
}
