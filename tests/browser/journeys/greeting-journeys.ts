import { expect } from "vitest";
import { formJourney, type JavaScript, productUrl, signInAs } from "#tests/browser/stage.ts";

export function greetingJourneys(javaScript: JavaScript): void {
  formJourney("a newcomer is welcomed once and removes the tour", javaScript, async ({ page }) => {
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

  formJourney("a newcomer starts with the sample library instead", javaScript, async ({ page }) => {
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
}
