import { expect } from "vitest";
import {
  codeIn,
  fillCode,
  formJourney,
  type JavaScript,
  openFileMenu,
  readDownload,
  signIn,
  upload,
} from "#tests/browser/stage.ts";

const TWO_SUM = `def two_sum(numbers, target):
    seen = {}
    for i, n in enumerate(numbers):
        if target - n in seen:
            return seen[target - n], i
        seen[n] = i
`;

export function libraryJourneys(javaScript: JavaScript): void {
  formJourney("an empty library says what to do next", javaScript, async ({ page }) => {
    await signIn(page, "Local reader", "/dashboard");
    await page.getByRole("link", { name: "Add your first file" }).click();
    await page.waitForURL("**/upload");
  });

  formJourney("files are uploaded, listed, read by line and downloaded", javaScript, async ({ page }) => {
    const [python, shell] = [`two_sum-${javaScript}.py`, `hello-${javaScript}.sh`];
    await signIn(page, "Local administrator");

    await upload(page, { name: python, text: TWO_SUM }, { name: shell, text: "echo hello\n" });

    await page.waitForURL("**/files");
    expect(await page.getByRole("status").textContent()).toMatch(/^Saved 2 files/);
    await page.getByRole("link", { name: shell, exact: true }).waitFor();
    await page.getByRole("link", { name: python, exact: true }).click();
    await page.getByRole("heading", { name: python }).waitFor();
    expect(await page.locator(".hljs-keyword").first().textContent()).toBe("def");

    await page.getByRole("link", { name: "3", exact: true }).click();
    expect(new URL(page.url()).hash).toBe("#L3");
    await page.goto(`${new URL(page.url()).pathname}?L=2-4`);
    const marked = await page.locator(".line-marked").evaluateAll((lines) => lines.map((line) => line.id));
    expect(marked).toEqual(["L2", "L3", "L4"]);

    await openFileMenu(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(python);
    expect(String(await readDownload(download))).toBe(TWO_SUM);
  });

  formJourney(
    "a text sent after the session ended is kept, and saved after logging in",
    javaScript,
    async ({ page, expectError }) => {
      const name = `late-${javaScript}.md`;
      await signIn(page, "Local administrator");
      await page.goto("/upload");
      await page.getByLabel("File name").fill(name);
      await fillCode(page, javaScript, "written\nover lunch");
      await page.context().clearCookies({ name: "session" });
      expectError(/401/);

      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("heading", { name: "You were logged out" }).waitFor();
      expect(await page.getByLabel("Your text").inputValue()).toBe("written\nover lunch");

      await signIn(await page.context().newPage(), "Local administrator");
      await page.getByRole("button", { name: "Send again" }).click();
      await page.getByRole("heading", { name }).waitFor();
    },
  );

  formJourney("a refused form comes back with the typed text", javaScript, async ({ page, expectError }) => {
    expectError(/status of 400/);
    const name = `pasted-${javaScript}.txt`;
    await signIn(page, "Local administrator");
    await page.goto("/upload");
    await fillCode(page, javaScript, "keep me\nplease");
    await page.getByLabel("Tags").fill("kept");

    await page.getByRole("button", { name: "Save", exact: true }).click();

    expect(await page.getByRole("alert").textContent()).toContain("Give the file a name");
    await expect.poll(() => codeIn(page, javaScript)).toMatch(/^keep me\r?\nplease$/);
    await page.getByLabel("File name").fill(name);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name }).waitFor();
    expect(await page.getByRole("list", { name: "Tags" }).textContent()).toBe("kept");
  });

  formJourney("code that hides its order is shown by name and warned about", javaScript, async ({ page }) => {
    await signIn(page, "Local administrator");

    await upload(page, { name: `trojan-${javaScript}.js`, text: "let a = 1; //\u202E not what it seems\n" });

    expect(await page.getByRole("alert").textContent()).toContain("invisible characters");
    expect(await page.locator(".bidi-control").textContent()).toBe("RLO");
  });
}
