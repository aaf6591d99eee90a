/** The main tasks by keyboard alone: nothing here clicks, and the focus is visible at every stop. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { detailJourney, type JavaScript, journey, signIn, signInCode, upload } from "#tests/browser/stage.ts";
import { violations } from "./access-journeys.ts";
import { findBox } from "./finding-journeys.ts";

const TABS_MAX = 80;
const PATIENTLY = { timeout: 10_000, interval: 500 };

/** Presses Tab until the named element has focus, and checks each stop on the way. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(focused);
    if (stop === null) continue;
    expect(stop.hidden, `${stop.name} has the focus where nobody sees it`).toBe(false);
    expect(stop.marked, `${stop.name} has the focus and does not show it`).toBe(true);
    const isIt = typeof name === "string" ? stop.name === name : name.test(stop.name);
    if (isIt) return;
  }
  throw new Error(`The focus never came to ${name}`);
}

/** Runs in the page: the focused element, whether it is visible and not under the bar, and whether it is marked. */
function focused(): { name: string; hidden: boolean; marked: boolean } | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const box = (element.closest("label") ?? element).getBoundingClientRect();
  const middle: [number, number] = [box.x + box.width / 2, box.y + Math.min(box.height, innerHeight) / 2];
  const top = document.elementFromPoint(...middle);
  const within = (a: Node | null, b: Node | null) => a?.contains(b) || b?.contains(a);
  const label = element.closest("label") ?? element;
  // A row or an editor may mark its frame instead of the focused element inside it.
  const around = [element, element.parentElement, element.closest(".code-editor"), element.closest("li")];
  const styles = around.flatMap((part) =>
    part ? [getComputedStyle(part), getComputedStyle(part, "::after")] : [],
  );
  const labelText = document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent;
  const labels =
    "labels" in element ? (element.labels as NodeListOf<HTMLLabelElement>)[0]?.textContent : null;
  const name = element.getAttribute("aria-label") ?? labelText ?? labels ?? element.textContent ?? "";
  return {
    name: name.replace(/[\u2066-\u2069]/g, "").trim(),
    hidden: !within(label, top),
    marked: styles.some(
      ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
    ),
  };
}

const enter = (page: Page) => page.keyboard.press("Enter");

export function keyboardJourneys(javaScript: JavaScript): void {
  journey(
    "a file is saved, found, read, annotated, given a reminder and deleted without a mouse",
    async ({ page }) => {
      const name = `keys-${javaScript}.txt`;
      await page.goto("/login");
      await tabTo(page, "Login code");
      await page.keyboard.type(signInCode());
      await tabTo(page, /Continue as Local administrator/);
      await enter(page);
      await page.waitForURL("**/dashboard");

      await tabTo(page, "New");
      await enter(page);
      await page.waitForURL("**/upload");
      await tabTo(page, "File name");
      await page.keyboard.type(name);
      await tabTo(page, "Content");
      await page.keyboard.type("pressed by hand");
      if (javaScript === "on") await page.keyboard.press("Escape");
      await tabTo(page, "Save");
      await enter(page);
      await page.getByRole("heading", { name }).waitFor();

      await tabTo(page, "Search");
      await page.keyboard.type(`pressed by hand`);
      // With JavaScript the first suggestion is selected once it is there, and Enter opens it.
      if (javaScript === "on")
        await page.locator('[role="option"][aria-selected="true"]', { hasText: name }).waitFor();
      await enter(page);
      if (javaScript === "off") {
        await page.waitForURL("**/search?q=*");
        await tabTo(page, name);
        await enter(page);
      }
      await page.waitForURL(javaScript === "off" ? "**/file/*" : "**/file/*#L1");

      await tabTo(page, "Add note");
      await enter(page);
      if (javaScript === "on") {
        // The matching line is selected: the note is written beside it.
        const card = page.locator(".note-writing");
        await card.locator("textarea:focus").waitFor();
        await page.keyboard.type("look again");
        await page.keyboard.press("Escape");
        await card.waitFor({ state: "detached" });
      } else {
        await page.waitForURL("**/notes/new*");
        await tabTo(page, "Note");
        await page.keyboard.type("look again");
        await tabTo(page, "Save note");
        await enter(page);
        await page.waitForURL("**/file/*");
      }
      const [file] = /[0-9a-f]{24}/.exec(page.url())!;
      const list = await page.request.get(`/api/sticky-notes/${file}`);
      const [{ id }] = (await list.json()).notes;

      await page.goto(`/reminders/${id}`);
      await tabTo(page, /^In 1 hour/);
      await enter(page);
      await page.waitForURL("**/reminders");
      await page.getByText("look again").first().waitFor();

      await page.goto(`/file/${file}`);
      await tabTo(page, "More actions");
      await page.keyboard.press("Enter");
      await tabTo(page, "Delete");
      await enter(page);
      await page.waitForURL((url) => !url.pathname.startsWith("/file/"));
      await page.goto("/trash");
      await tabTo(page, "Restore");
      await enter(page);
      await page.getByRole("status").waitFor();
    },
    { javaScript, timeoutMs: 60_000 },
  );
}

export function keyEnhancements(): void {
  detailJourney(
    "line numbers are one Tab stop: arrows move, Shift selects lines, and the bar comes next",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const text = Array.from({ length: 60 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");
      await upload(page, { name: "stops.py", text });
      await page.locator("#L60").waitFor();
      const isFocused = (selector: string) => page.locator(`${selector}:focus`).waitFor();
      await page.keyboard.press("l");
      await isFocused("#go-to-line");
      await tabTo(page, "1");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await isFocused("#L3 > .line-number");
      await enter(page);
      const bar = page.getByRole("toolbar", { name: "Selected lines" });
      await bar.waitFor();
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Shift+ArrowDown");
      await page.waitForURL(/#L3-L5$/);
      expect(await page.locator(".line-marked").evaluateAll((lines) => lines.map(({ id }) => id))).toEqual([
        "L3",
        "L4",
        "L5",
      ]);
      await page.keyboard.press("Tab");
      await isFocused("[data-line-note]");
      await page.keyboard.press("Shift+Tab");
      await isFocused("#L5 > .line-number");
      await page.keyboard.press("Escape");
      await bar.waitFor({ state: "hidden" });

      await page.keyboard.press("Tab");
      expect(await page.locator(".line-number:focus").count()).toBe(0);
    },
  );

  detailJourney(
    "single keys move through a list, open pages and list themselves, and never act while typing",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await upload(page, { name: "key-one.txt", text: "1\n" }, { name: "key-two.txt", text: "2\n" });
      await page.goto("/files?q=key-");
      const row = page.locator(".file-name:focus");
      await page.keyboard.press("j");
      const first = await row.textContent();
      await page.keyboard.press("j");
      expect(await row.textContent()).not.toBe(first);
      await page.keyboard.press("k");
      expect(await row.textContent()).toBe(first);
      await page.keyboard.press("x");
      expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
      await page.keyboard.press("o");
      await page.waitForURL("**/file/*");

      await page.keyboard.press("?");
      const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await help.getByText("Next row").waitFor();
      await help.getByText("Move note farther (on its grip)").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });

      await page.keyboard.press("/");
      await page.keyboard.type("gf?n");
      expect(await findBox(page).inputValue()).toBe("gf?n");
      await page.keyboard.press("Escape");
      await page.keyboard.press("e");
      await page.waitForURL("**/edit/*");
      await page.goto("/dashboard");
      await page.keyboard.press("g");
      await page.keyboard.press("f");
      await page.waitForURL("**/files");
    },
  );

  journey(
    "Ctrl+K searches, opens pages and runs actions over any page, and Escape returns the focus",
    async ({ page }) => {
      await signIn(page, "Local administrator", "/dashboard");
      await page.request.put("/api/files/found-by-letters.txt", { data: "x\nby-letters\n" });
      const box = page.getByRole("combobox", { name: "Search" });
      const chosen = page.locator('[role="option"][aria-selected="true"]');
      const opened = async () => {
        await page.keyboard.press("Control+k");
        return page.locator("[role=combobox]:focus").count();
      };
      await page.getByRole("link", { name: "Boards" }).focus();
      await expect.poll(opened, PATIENTLY).toBe(1);
      await page.getByRole("option", { name: "Boards" }).waitFor();
      await box.fill("by-letters");
      await page.getByRole("option", { name: "Boards" }).waitFor({ state: "detached" });
      await expect.poll(() => chosen.locator("mark").first().textContent(), PATIENTLY).toBe("by-letters");
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      expect(await chosen.textContent()).toContain("Search everything for");
      await page.keyboard.press("Escape");
      expect(await box.getAttribute("aria-expanded")).toBe("false");
      expect(await page.locator(":focus").textContent()).toBe("Boards");

      await box.click();
      await box.fill("by-letters");
      await chosen.locator("mark").first().waitFor();
      await page.keyboard.press("Escape");
      expect([await box.getAttribute("aria-expanded"), await box.inputValue()]).toEqual([
        "false",
        "by-letters",
      ]);
      await page.keyboard.press("Escape");
      expect([await box.inputValue(), await page.locator("[role=combobox]:focus").count()]).toEqual(["", 1]);
      await page.keyboard.press("Escape");
      expect(await page.locator("[role=combobox]:focus").count()).toBe(0);

      await expect.poll(opened, PATIENTLY).toBe(1);
      await box.fill("by-letters");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "found-by-letters.txt" }).waitFor();
      // The query equals the file's name, so the file opens at its top.
      expect(new URL(page.url()).hash).toBe("");

      await box.click();
      await page.getByRole("option", { name: "by-letters", exact: true }).waitFor();
      await box.fill("lang:t");
      await expect.poll(() => chosen.textContent(), PATIENTLY).toBe("lang:text");
      await page.keyboard.press("Enter");
      expect(await box.inputValue()).toBe("lang:text");
      await box.fill("trash");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/trash");
    },
  );
}
