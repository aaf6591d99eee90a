import { expect } from "vitest";
import { formJourney, type JavaScript, saveFiles, signIn } from "#tests/browser/stage.ts";

const tab = (name: string) => ({ name, exact: true });

export function viewJourneys(javaScript: JavaScript): void {
  formJourney("Markdown is read as a page, and old versions of it too", javaScript, async ({ page }) => {
    const name = `view-${javaScript}.md`;
    await signIn(page, "Local administrator");
    await saveFiles(page, { name, text: "# Early\n\n## Part one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n" });
    await saveFiles(page, { name, text: "# Later\n\n- [x] done\n" });

    await page.getByRole("link", tab("Preview")).click();
    await page.waitForURL("**/md/*");
    await page.getByRole("heading", { name: "Later", exact: true }).waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("link", { name: "View version 1" }).click();
    expect(await page.locator("summary", { hasText: "Details" }).count()).toBe(0);
    await page.getByRole("link", tab("Preview")).click();
    await page.getByRole("heading", { name: "Early", exact: true }).waitFor();
    await page.getByRole("link", { name: "Part one" }).click();
    expect(new URL(page.url()).hash).toBe("#part-one");
    await page.getByRole("link", tab("Source")).click();
    await page.getByText("You are viewing version 1 of 2.").waitFor();
  });

  formJourney(
    "HTML is shown in a frame without permissions",
    javaScript,
    async ({ page, drawn, expectError }) => {
      expectError(/sandbox|Content Security Policy/i);
      await signIn(page, "Local administrator");
      const text = "<h1>Framed</h1><script>document.title = 'broken out'</script><p onclick='x()'>Words</p>";
      await saveFiles(page, { name: `view-${javaScript}.html`, text });

      await page.getByRole("link", tab("Preview")).click();
      await drawn?.frameLocator("iframe.preview-frame").getByRole("heading", { name: "Framed" }).waitFor();
      expect(await page.locator("iframe.preview-frame").getAttribute("sandbox")).toBe("");
      expect(await page.title()).not.toContain("broken out");
      await page.getByRole("link", tab("Source")).click();
      await page.locator(".code", { hasText: "Framed" }).waitFor();
    },
  );

  formJourney("a drawing is seen on three backgrounds", javaScript, async ({ page, drawn }) => {
    await signIn(page, "Local administrator");
    const text =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>';
    await saveFiles(page, { name: `view-${javaScript}.svg`, text });

    await page.getByRole("link", tab("Preview")).click();
    for (const background of ["Light", "Dark", "Checkered"]) {
      await page.getByRole("link", tab(background)).click();
      await page.locator(`.drawing-${background.toLowerCase()}`).waitFor();
      const image = page.locator(".drawing img");
      const width = () => image.evaluate((element: HTMLImageElement) => element.naturalWidth);
      if (drawn) await expect.poll(width, { timeout: 10_000 }).toBe(40);
    }
    const backdrops = await page.getByRole("link", { name: /^(Light|Dark|Checkered)$/ }).count();
    expect(backdrops).toBe(3);
  });
}
