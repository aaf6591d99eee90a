import { expect } from "vitest";
import {
  codeIn,
  detailJourney,
  fillCode,
  formJourney,
  type JavaScript,
  readDownload,
  saveFiles,
  signIn,
  upload,
} from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

const save = (page: WebPage) => page.getByRole("button", { name: "Save", exact: true }).click();
const shownCode = async (page: WebPage) =>
  (await page.locator(".code .line").allTextContents()).map((line) => line.replace(/^\d+/, ""));

/** Signs in and saves a file version by version; the page then shows the newest. */
async function startWith(page: WebPage, name: string, ...texts: string[]): Promise<string> {
  await signIn(page, "Local administrator");
  const ids: string[] = [];
  for (const text of texts) ids.push(await saveFiles(page, { name, text }));
  return ids.at(-1)!;
}

const TABS = ".file-more > .tabs > a, .file-more > details > summary";

export function versionJourneys(javaScript: JavaScript): void {
  formJourney("a file is edited, renamed and described in one form", javaScript, async ({ page }) => {
    const [before, after] = [`draft-${javaScript}.txt`, `final-${javaScript}.py`];
    const id = await startWith(page, before, "one\ntwo\n");

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.waitForURL(`**/edit/${id}`);
    expect(await codeIn(page, javaScript)).toBe("one\ntwo\n");
    await fillCode(page, javaScript, "one\nmore\n");
    await page.getByLabel("File name").fill(after);
    await page.getByLabel("Description").fill("what it is");
    await page.getByLabel("Tags").fill("kept");
    await save(page);

    await page.waitForURL(`**/file/${id}`);
    await page.getByRole("heading", { name: after }).waitFor();
    expect(await page.getByRole("status").first().textContent()).toContain("version 2");
    expect(await shownCode(page)).toEqual(["one", "more"]);
    await page.getByText("what it is").first().waitFor();
  });

  formJourney("two people's edits are merged and none is lost", javaScript, async ({ page, expectError }) => {
    expectError(/status of 40[09]/);
    const name = `together-${javaScript}.txt`;
    const id = await startWith(page, name, "one\ntwo\nthree\n");
    await page.goto(`/edit/${id}`);
    const other = await page.context().newPage();
    await other.goto(`/edit/${id}`);
    await fillCode(other, javaScript, "one\nTWO by them\nthree\nfour\n");
    await save(other);
    await other.waitForURL(`**/file/${id}`);

    await fillCode(page, javaScript, "zero\none\ntwo by me\nthree\n");
    await save(page);

    await page.getByRole("heading", { name: "A newer version was saved" }).waitFor();
    expect(await page.getByLabel("Your text").inputValue()).toBe("zero\none\ntwo by me\nthree\n");
    expect(await page.getByLabel("Version 2").inputValue()).toBe("one\nTWO by them\nthree\nfour\n");
    await page.getByLabel("Merged").waitFor();
    const merged = await codeIn(page, javaScript);
    expect(merged).toBe(
      "zero\none\n<<<<<<< Your text\ntwo by me\n=======\nTWO by them\n>>>>>>> Version 2\nthree\nfour\n",
    );
    await page.getByRole("link", { name: "Keep version 2" }).waitFor();
    await page.getByRole("button", { name: "Keep your text" }).waitFor();
    await save(page);
    await page.getByRole("alert").getByText("conflict marks").waitFor();
    expect(await codeIn(page, javaScript)).toBe(merged);
    expect(await page.getByLabel("Your text").inputValue()).toBe("zero\none\ntwo by me\nthree\n");
    await page.getByRole("link", { name: "Keep version 2" }).waitFor();
    await page.getByRole("button", { name: "Save with the marks" }).waitFor();
    await fillCode(page, javaScript, "zero\none\ntwo by both\nthree\nfour\n");
    await save(page);
    await page.waitForURL(`**/file/${id}`);
    expect(await shownCode(page)).toEqual(["zero", "one", "two by both", "three", "four"]);
  });

  formJourney(
    "versions are listed, read, compared, downloaded and restored",
    javaScript,
    async ({ page, drawn }) => {
      const name = `story-${javaScript}.txt`;
      const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`);
      const old = `${lines.join("\n")}\n`;
      const id = await startWith(page, name, old, `${lines.with(9, "line ten").join("\n")}\n`);

      await page.getByRole("link", { name: "History" }).click();
      await page.waitForURL(`**/file/${id}/history`);
      await page.getByRole("link", { name: "Changes in version 2" }).click();
      await page.waitForURL("**/compare?from=1&to=2");
      expect(await page.locator("del").textContent()).toBe("line 10");
      expect(await page.locator("ins").textContent()).toBe("line ten");
      expect(await page.locator("mark").allTextContents()).toEqual(["10", "ten"]);
      const folded = page.locator(".diff-same", { hasText: "line 20" });
      expect(await folded.isVisible()).toBe(false);
      await page.getByText("unchanged lines").last().click();
      await folded.waitFor();

      const wide = drawn?.viewportSize();
      await drawn?.setViewportSize({ width: 390, height: 780 });
      await page.getByRole("link", { name: "Side by side" }).click();
      await page.waitForURL("**&view=split");
      for (const changed of drawn ? ["del", "ins"] : []) {
        const { x, width } = (await drawn!.locator(changed).boundingBox())!;
        expect(x + width, `${changed} is on a phone without scrolling sideways`).toBeLessThanOrEqual(390);
      }
      if (wide) await drawn?.setViewportSize(wide);

      await page.getByRole("link", { name: "History" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download version 1" }).click(),
      ]);
      expect(String(await readDownload(download))).toBe(old);
      await page.getByRole("link", { name: "View version 1" }).click();
      await page.getByText("You are viewing version 1 of 2.").waitFor();
      expect(await shownCode(page)).toEqual(lines);

      await page.getByRole("link", { name: "History" }).click();
      await page.getByRole("button", { name: "Restore version 1" }).click();
      await page.waitForURL(`**/file/${id}`);
      expect(await page.getByRole("status").first().textContent()).toContain("as version 3");
      expect(await shownCode(page)).toEqual(lines);
    },
  );

  formJourney(
    "a new file that replaces one says so, and Undo brings its text back",
    javaScript,
    async ({ page }) => {
      const name = `replaced-${javaScript}.txt`;
      await startWith(page, name, "first\n");
      await page.goto("/upload");
      await page.getByLabel("File name").fill(name);
      await fillCode(page, javaScript, "second\n");
      await save(page);

      await page.getByText(`Saved as version 2 of`).waitFor();
      expect(await shownCode(page)).toEqual(["second"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("as version 3").waitFor();
      expect(await shownCode(page)).toEqual(["first"]);
    },
  );

  formJourney(
    "every view of a file has the same tabs in the same place",
    javaScript,
    async ({ page, drawn }) => {
      const id = await startWith(page, `tabs-${javaScript}.json`, "[1]\n", "[2]\n");
      const tabs = page.locator(TABS);
      const look = async () =>
        Promise.all(
          (await tabs.all()).map(async (tab, i) => [
            await tab.textContent(),
            drawn && (await drawn.locator(TABS).nth(i).boundingBox()),
          ]),
        );
      await page.goto(`/file/${id}`);
      const onSource = await look();
      expect(onSource.map(([name]) => name)).toEqual(["Source", "Preview", "History", "Details", "Explain"]);

      for (const [path, current] of [
        [`/file/${id}?view=preview`, "Preview"],
        [`/file/${id}/history`, "History"],
        [`/file/${id}/compare?from=1&to=2`, "History"],
      ] as const) {
        await page.goto(path);
        expect(await look(), path).toEqual(onSource);
        expect(await page.locator(".file-more > .tabs > [aria-current]").textContent()).toBe(current);
      }
      await page.getByText("Details", { exact: true }).click();
      await page.getByLabel("Description").fill("From the comparison");
      await page.getByRole("button", { name: "Save details" }).click();
      await page.getByText("From the comparison").first().waitFor();
    },
  );
}

export function versionEnhancements(): void {
  detailJourney(
    "a refused text is offered again after Back and another page",
    async ({ page, expectError }) => {
      expectError(/status of 400/);
      await signIn(page, "Local administrator", "/upload");
      await fillCode(page, "on", "typed without a name\n");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("alert").waitFor();
      await page.goBack();
      await page.goto("/files");

      await page.goto("/upload");
      await page.getByRole("button", { name: "Restore" }).click();
      expect(await codeIn(page, "on")).toBe("typed without a name\n");
    },
  );

  detailJourney("a message with Undo disappears, but not from under a pointer", async ({ page }) => {
    await page.clock.install();
    await signIn(page, "Local administrator");
    await upload(page, { name: "leaving.txt", text: "one\n" });
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.hover();
    await page.clock.runFor(13_000);
    expect(await undo.isVisible(), "it stays while the pointer is on it").toBe(true);

    await page.mouse.move(5, 700);
    await page.clock.runFor(11_000);
    expect(await undo.isVisible()).toBe(true);
    await page.clock.runFor(1_500);
    expect(await undo.count()).toBe(0);
  });

  detailJourney("Edit opens at the selected line", async ({ page }) => {
    const id = await startWith(page, "marked-line.txt", `${"line\n".repeat(80)}`);
    await page.goto(`/file/${id}#L60`);
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.locator(".cm-content").waitFor();
    await page.keyboard.type("here ");
    expect((await codeIn(page, "on")).split("\n").indexOf("here line")).toBe(59);
  });
}
