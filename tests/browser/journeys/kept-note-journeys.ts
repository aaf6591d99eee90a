/** A note written beside lines by touch: no typed text is lost, and no unwanted note stays. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { detailJourney, signIn, upload } from "#tests/browser/stage.ts";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const CODE = Array.from({ length: 12 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");

const findText = (page: Page) => page.locator("textarea[name=content]");
const findNote = (page: Page, words: string) => page.locator(".noted-list .note", { hasText: words });

async function openFile(page: Page): Promise<string> {
  await signIn(page, "Local administrator");
  await upload(page, { name: `kept-${crypto.randomUUID()}.py`, text: CODE });
  await page.locator("#L3 .line-number").waitFor();
  return new URL(page.url()).pathname.replace("/md/", "/file/");
}

async function writeOnLine(page: Page, line: number, words: string): Promise<void> {
  await page.locator(`#L${line} .line-number`).tap();
  await page.getByRole("toolbar", { name: "Selected lines" }).getByRole("button", { name: "Note" }).tap();
  await findText(page).pressSequentially(words);
}

async function readNotes(page: Page, file: string): Promise<string[]> {
  const answer = await page.request.get(`/api/sticky-notes/${file.split("/").at(-1)}`);
  return (await answer.json()).notes.map(({ content }: { content: string }) => content);
}

/** Lists visible targets that are too small for a finger, and expects at least `atLeast` targets. */
async function measureSmall(page: Page, targets: string, atLeast: number): Promise<string[]> {
  const measured = await page
    .locator(targets)
    .filter({ visible: true })
    .evaluateAll((all) =>
      all.map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return {
          isSmall: width < 40 || height < 40,
          name: `${width}×${height} ${target.outerHTML.slice(0, 80)}`,
        };
      }),
    );
  expect(measured.length).toBeGreaterThanOrEqual(atLeast);
  return measured.filter(({ isSmall }) => isSmall).map(({ name }) => name);
}

/** The height from the bar to the end of the tabs: name, actions and facts. */
async function measureHead(page: Page): Promise<number> {
  const top = (await page.locator(".page").boundingBox())!.y;
  const tabs = (await page.locator(".file-more").boundingBox())!;
  return tabs.y + tabs.height - top;
}

export function keptNoteJourneys(): void {
  detailJourney(
    "the controls of a file's page and its notes have 40 pixels for a finger, and its head a fifth of the screen",
    async ({ page }) => {
      const file = await openFile(page);
      const data = { content: "to press", line_start: 2 };
      await page.request.post(`/api/sticky-notes/${file.split("/").at(-1)}`, { data });
      await page.reload();
      expect(await measureHead(page)).toBeLessThan(844 / 5);
      await page.locator(".file-strip > .menu > summary").tap();
      expect(await measureSmall(page, ".file-head :is(button, summary, .button)", 12)).toEqual([]);

      await page.goto("/notes");
      await page.locator(".note-menu > summary").first().tap();
      expect(await measureSmall(page, ".note :is(button:not(.note-tick), summary, .note-tool)", 10)).toEqual(
        [],
      );

      await page.goto("/files");
      await page.locator(".row-choice > input").first().check();
      expect(await measureSmall(page, ".selection :is(button, .input, label)", 10)).toEqual([]);
    },
    PHONE,
  );

  detailJourney(
    "a note is saved once if its page is left at once, and no draft of it stays",
    async ({ page }) => {
      const file = await openFile(page);
      await writeOnLine(page, 3, "left at once");
      await page.evaluate(() => location.assign("/files"));
      await page.waitForURL("**/files");
      await expect.poll(() => readNotes(page, file)).toEqual(["left at once"]);
      const drafts = () =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("new-note")));
      await expect.poll(drafts).toEqual([]);

      await page.goto(file);
      await findNote(page, "left at once").waitFor();
      await page.locator("#L3 .line-number").tap();
      await page.getByRole("button", { name: "Note", exact: true }).tap();
      expect(await findText(page).inputValue()).toBe("");
      expect(await readNotes(page, file)).toEqual(["left at once"]);
    },
    PHONE,
  );

  detailJourney(
    "text typed while a note is being saved is kept when its page is left",
    async ({ page }) => {
      const file = await openFile(page);
      let isSent = () => {};
      const sent = new Promise<void>((resolve) => {
        isSent = resolve;
      });
      await page.route("**/notes/new?*", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        // The server stores the note, but its answer does not arrive before the person leaves the page.
        const answer = await route.fetch();
        isSent();
        await page.waitForURL("**/files");
        await route.fulfill({ response: answer }).catch(() => undefined);
      });
      await writeOnLine(page, 4, "first");
      await sent;
      await findText(page).pressSequentially(" and second");
      await page.evaluate(() => location.assign("/files"));
      await expect.poll(() => readNotes(page, file)).toEqual(["first and second"]);
    },
    PHONE,
  );

  detailJourney(
    "Back shows the note that was saved before the person left the page",
    async ({ page }) => {
      await page.goto(await openFile(page));
      await writeOnLine(page, 3, "seen again");
      await page.getByText("Saved", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Share", exact: true }).tap();
      await page.getByRole("button", { name: "Create link" }).waitFor();
      await page.goBack();
      await findNote(page, "seen again").waitFor();
      await page.locator("#L3 .line-note").waitFor();
    },
    PHONE,
  );

  detailJourney(
    "Cancel leaves nothing of a new note, saved or not",
    async ({ page }) => {
      const file = await openFile(page);
      const cancel = page.locator(".note-writing").getByRole("button", { name: "Cancel" });
      await writeOnLine(page, 3, "not yet saved");
      await cancel.tap();
      await page.locator(".note-writing").waitFor({ state: "detached" });
      await writeOnLine(page, 5, "saved by itself");
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await readNotes(page, file)).toEqual(["saved by itself"]);
      await cancel.tap();
      await page.locator(".note-writing").waitFor({ state: "detached" });

      expect(await readNotes(page, file)).toEqual([]);
      await page.reload();
      await page.locator("#L3 .line-number").waitFor();
      expect(await page.locator(".note").count()).toBe(0);
      await page.locator("#L3 .line-number").tap();
      await page.getByRole("button", { name: "Note", exact: true }).tap();
      expect(await findText(page).inputValue()).toBe("");
    },
    PHONE,
  );
}
