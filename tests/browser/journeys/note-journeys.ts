import type { Page } from "playwright";
import { expect } from "vitest";
import {
  detailJourney,
  formJourney,
  type JavaScript,
  journey,
  saveFiles,
  signIn,
} from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

const CODE = Array.from({ length: 12 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");
const card = <Card>(page: { locator(selector: string, options: { hasText: string }): Card }, words: string) =>
  page.locator(".note", { hasText: words });
const findContentField = <Field>(page: { locator(selector: string): Field }) =>
  page.locator("textarea[name=content]");
const save = (page: WebPage) => page.getByRole("button", { name: "Save note" }).click();

async function addNote(page: WebPage, address: string, content: string): Promise<void> {
  await page.goto(address);
  await findContentField(page).fill(content);
  await save(page);
  await card(page, content.split("\n")[0]!).waitFor();
}

type PlacedNote = { content: string; position: { x: number; y: number } };

export async function putNote(page: WebPage, board: string, note: PlacedNote): Promise<void> {
  const answer = await page.request.post(`/api/sticky-notes/board/${board}`, { data: note });
  expect(answer.ok()).toBe(true);
}

export async function openBoard(page: WebPage, name: string): Promise<string> {
  await page.goto("/boards");
  await page.getByLabel("Board name").first().fill(name);
  await page.getByRole("button", { name: "Create board" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  return new URL(page.url()).pathname.split("/").at(-1)!;
}

async function startWithFile(page: WebPage, name: string, text = CODE): Promise<string> {
  await signIn(page, "Local administrator");
  return saveFiles(page, { name, text });
}

export function noteJourneys(javaScript: JavaScript): void {
  formJourney("a note takes the number of a clicked line", javaScript, async ({ page, drawn }) => {
    const id = await startWithFile(page, `clicked-${javaScript}.py`);
    await page.goto(`/file/${id}`);
    await page.locator("#L3 .line-number").click();
    await page.locator("#L3.line-marked").waitFor();
    await page.getByRole("link", { name: "Add note" }).click();
    await findContentField(page).fill("on the clicked line");
    await (drawn ? drawn.keyboard.press("Escape") : save(page));
    await card(page, "on the clicked line").getByRole("link", { name: "Line 3" }).waitFor();
    if (drawn) return;

    await page.locator("#L5 .line-number").click();
    await page.getByRole("link", { name: "Share", exact: true }).click();
    expect(await page.getByRole("radio", { name: "Selected lines" }).isChecked()).toBe(true);
    expect(await page.getByRole("textbox", { name: "Lines" }).inputValue()).toBe("5");
  });

  formJourney(
    "a note is added to line 3, and ticked, coloured, minimised and deleted there",
    javaScript,
    async ({ page, drawn }) => {
      const id = await startWithFile(page, `noted-${javaScript}.py`);
      await page.goto(`/file/${id}?L=3`);
      await page.getByRole("link", { name: "Add note" }).click();
      expect(await page.getByLabel("From line").inputValue()).toBe("3");
      await findContentField(page).fill("Look here\n- [ ] first\n- [ ] second");
      await save(page);

      const note = card(page, "Look here");
      await page.locator("#L3 .line-note").waitFor();
      expect(await page.locator(".line-note").count()).toBe(1);
      const ticked = drawn?.waitForResponse(/\/task$/);
      await note.getByRole("checkbox", { name: "second" }).click();
      await note.getByRole("checkbox", { name: "second", checked: true }).waitFor();
      await ticked;
      await page.reload();
      expect(await note.getByRole("checkbox", { checked: true }).allTextContents()).toHaveLength(1);
      expect(await note.getByRole("checkbox", { name: "first", checked: false }).count()).toBe(1);

      await note.locator("summary").click();
      await note.getByRole("button", { name: "Pink" }).click();
      await page.locator('.note[data-color="pink"]').waitFor();
      await note.locator("summary").click();
      await note.getByRole("button", { name: "Minimise" }).click();
      await page.locator(".note[data-minimized]").waitFor();
      await page.locator(".note summary").click();
      await page.getByRole("button", { name: "Delete", exact: true }).last().click();
      await page.getByText(/Deleted .*Look here/).waitFor();
      expect(await page.locator(".note").count()).toBe(0);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.locator(".note[data-minimized]").waitFor();
    },
  );

  formJourney(
    "a note follows its line, and is pinned again after the line changed",
    javaScript,
    async ({ page }) => {
      const name = `moved-${javaScript}.py`;
      const id = await startWithFile(page, name);
      await addNote(page, `/notes/new?file=${id}&L=3`, "about line three");
      await saveFiles(page, { name, text: `new = 0\n${CODE}` });

      await page.goto(`/file/${id}`);
      await page.locator("#L4 .line-note").waitFor();
      await page.getByText("Moved from line 3.").waitFor();
      await page.getByRole("button", { name: "Attach to these lines" }).click();
      await page.locator("#L4 .line-note").waitFor();
      expect(await page.getByText("Moved from line").count()).toBe(0);
    },
  );

  formJourney(
    "a note is put on a heading of a document, and its address leads to it",
    javaScript,
    async ({ page }) => {
      const id = await startWithFile(page, `doc-${javaScript}.md`, "# One\n\nwords\n\n## שתיים\n\nwords\n");
      await page.goto(`/md/${id}`);
      await page.getByRole("link", { name: "Add note" }).click();
      await page.getByLabel("Heading").selectOption({ label: "שתיים" });
      await findContentField(page).fill("about the second");
      await save(page);

      await page.waitForURL(`**/md/${id}#note-*`);
      const noteId = (await card(page, "about the second").getAttribute("data-note"))!;
      await page.goto(`/note/${noteId}`);
      await page.waitForURL(`**/md/${id}#note-${noteId}`);
      expect(await page.locator(".note:target").count()).toBe(1);
    },
  );

  formJourney(
    "a text edited in two places is merged and no edit is lost",
    javaScript,
    async ({ page, expectError }) => {
      expectError(/status of 409/);
      await signIn(page, "Local administrator");
      const board = await openBoard(page, `Together ${javaScript}`);
      await addNote(page, `/notes/new?board=${board}`, "one\ntwo\nthree");
      const id = (await page.locator(".note").getAttribute("data-note"))!;
      await page.goto(`/note/${id}/edit`);
      const other = await page.context().newPage();
      await other.goto(`/note/${id}/edit`);
      await findContentField(other).fill("one\ntwo\nthree by them");
      await save(other);
      await other.waitForURL("**/boards/**");

      await findContentField(page).fill("one by me\ntwo\nthree");
      await page.getByLabel("Title").fill("Named by me");
      await save(page);
      await page.getByRole("heading", { name: "This note was changed elsewhere" }).waitFor();
      expect(await page.getByLabel("Your version").inputValue()).toBe("one by me\ntwo\nthree");
      expect(await page.getByLabel("Saved version").inputValue()).toBe("one\ntwo\nthree by them");
      expect(await page.locator(".merge-words ins").allTextContents()).toEqual([" by me"]);
      expect(await page.locator(".merge-words del").allTextContents()).toEqual([" by them"]);
      expect(await page.getByLabel("Merged").inputValue()).toBe("one by me\ntwo\nthree by them");
      await page.getByRole("button", { name: "Save merged" }).click();

      await page.waitForURL("**/boards/**");
      await page.getByRole("heading", { name: "Named by me" }).waitFor();
      expect(await page.locator("[data-note-body]").textContent()).toBe("one by metwothree by them");
      await page.goto(`/note/${id}/history`);
      await page.getByRole("button", { name: "Restore" }).last().click();
      await page.getByText("Note restored").waitFor();
      expect(await page.locator("[data-note-body]").textContent()).toBe("onetwothree");
    },
  );

  formJourney(
    "boards are made, named, filled by fields and deleted, and no note is deleted with them",
    javaScript,
    async ({ page, drawn }) => {
      await signIn(page, "Local administrator");
      const name = `Plans ${javaScript}`;
      const board = await openBoard(page, name);
      await addNote(page, `/notes/new?board=${board}`, `kept ${javaScript}`);
      const id = (await page.locator(".note").getAttribute("data-note"))!;
      await page.goto(`/note/${id}/edit`);
      await page.getByLabel("Horizontal position").waitFor({ state: "hidden" });
      const position = page.locator("summary", { hasText: "Position" });
      if (drawn) {
        const content = (await drawn.locator("#note-content").boundingBox())!;
        const summary = (await drawn.locator("summary", { hasText: "Position" }).boundingBox())!;
        expect(content.y + content.height).toBeLessThan(summary.y);
      }
      await position.click();
      await page.getByLabel("Horizontal position").fill("333");
      await page.getByLabel("Vertical position").fill("222");
      await page.getByLabel("Width").fill("400");
      await save(page);
      if (drawn) expect((await readPlace(drawn)).slice(0, 3)).toEqual([333, 222, 400]);

      await page.goto("/boards");
      const row = page.getByRole("listitem").filter({ hasText: name });
      await row.locator("summary", { hasText: "Rename" }).click();
      await row.getByLabel("Board name").fill(`${name} renamed`);
      await row.getByRole("button", { name: "Rename", exact: true }).click();
      await page.getByRole("link", { name: `${name} renamed` }).waitFor();
      await row.locator("summary", { hasText: "Delete board" }).click();
      await row.getByText("1 note will move").waitFor();
      await row.getByRole("button", { name: "Delete board" }).click();
      await page.getByText("Board deleted, 1 note moved").waitFor();
      await page.goto(`/note/${id}`);
      await page.getByRole("heading", { level: 1, name: "My board" }).waitFor();
      await card(page, `kept ${javaScript}`).waitFor();
    },
  );

  formJourney("notes are found by Hebrew words, with the matches marked", javaScript, async ({ page }) => {
    await signIn(page, "Local administrator");
    const name = `Hebrew ${Date.now()}`;
    const wanted = `חלב ${Date.now()}`;
    const board = await openBoard(page, name);
    await addNote(page, `/notes/new?board=${board}`, `לקנות ${wanted}`);
    await page.goto("/notes");
    await page.getByLabel("Search notes").fill(wanted);
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.locator("mark").first().waitFor();

    expect(await page.locator("mark").allTextContents()).toEqual([wanted]);
    await page.getByRole("link", { name: new RegExp(`On .*${name}`) }).click();
    await card(page, "לקנות").waitFor();
    expect(await page.locator(".note:target").count()).toBe(1);
  });

  formJourney(
    "a note's reminder leads back to the note that it was set for",
    javaScript,
    async ({ page, drawn }) => {
      const name = `reminded-${javaScript}.py`;
      const text = Array.from({ length: 200 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");
      const id = await startWithFile(page, name, text);
      await addNote(page, `/notes/new?file=${id}&L=150`, `far below ${javaScript}`);
      await page.goto(`/file/${id}`);
      const note = card(page, "far below");
      await note.getByRole("link", { name: "Set reminder" }).click();
      await page.getByRole("button", { name: "In 3 hours" }).click();
      await page.waitForURL(`**/file/${id}*`);
      await note.locator(".reminder-chip").waitFor();
      expect(new URL(page.url()).hash).toMatch(/^#note-/);
      if (drawn) await expect.poll(() => isOnScreen(drawn, "far below")).toBe(true);
    },
  );
}

const readPlace = (page: Page) =>
  page.locator(".note").evaluate((note) => {
    const { insetInlineStart, insetBlockStart, inlineSize, blockSize } = getComputedStyle(note);
    return [insetInlineStart, insetBlockStart, inlineSize, blockSize].map(Number.parseFloat);
  });

/** True if every item of an open menu is visible and can be pressed, and its colours are in one row. */
const isMenuWhole = (page: Page) =>
  page.locator(".note-menu[open] > .menu-sheet").evaluate((sheet) => {
    const isPressed = (control: Element) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("a, button") === control;
    };
    const colors = [...sheet.querySelectorAll(".note-color")];
    return {
      isReached: [...sheet.querySelectorAll("a, button")].every(isPressed),
      colorRows: new Set(colors.map((color) => color.getBoundingClientRect().top)).size,
    };
  });

const isOnScreen = (page: Page, words: string) =>
  card(page, words).evaluate((note) => {
    const { top, bottom } = note.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });

export const isInView = (page: Page, words: string) =>
  card(page, words).evaluate((note) => {
    const [inner, outer] = [note, note.closest(".board")!].map((box) => box.getBoundingClientRect());
    return (
      inner!.left < outer!.right - 20 &&
      inner!.right > outer!.left + 20 &&
      inner!.top < outer!.bottom - 20 &&
      inner!.bottom > outer!.top + 20
    );
  });

export function noteEnhancements(): void {
  detailJourney(
    "the menu of a note low on its board is completely visible, also zoomed, in Hebrew and on a phone",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "Low");
      for (const y of [20, 430])
        await putNote(page, board, { content: `lies at ${y}`, position: { x: 20, y } });
      const openLowMenu = async () => {
        await page.goto(`/boards/${board}`);
        await enhanced(page);
        await card(page, "lies at 430").locator("summary").press("Enter");
        await expect.poll(() => isMenuWhole(page)).toEqual({ isReached: true, colorRows: 1 });
      };
      await openLowMenu();
      await page.getByRole("button", { name: "Zoom in" }).click();
      await openLowMenu();
      await page.context().addCookies([{ name: "locale", value: "he", url: page.url() }]);
      await openLowMenu();
      await page.setViewportSize({ width: 390, height: 560 });
      await openLowMenu();
    },
  );

  journey(
    "a note is dragged, resized and moved by keys, and stays there; another is made by a double-click",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "Dragged");
      await addNote(page, `/notes/new?board=${board}`, "move me");
      expect(await readPlace(page)).toEqual([24, 24, 240, 200]);
      await enhanced(page);

      await drag(page, "[data-note-grip]", 150, 90);
      await drag(page, "[data-note-corner]", 40, 60);
      expect(await readPlace(page)).toEqual([174, 114, 280, 260]);
      await page.locator("[data-note-grip]").focus();
      for (const key of ["ArrowRight", "Shift+ArrowDown", "Alt+ArrowRight", "Control+ArrowUp"])
        await page.keyboard.press(key);
      expect(await readPlace(page)).toEqual([184, 214, 290, 250]);

      await page.getByText("Saved", { exact: true }).waitFor();
      await page.reload();
      expect(await readPlace(page)).toEqual([184, 214, 290, 250]);

      await enhanced(page);
      await page.locator("[data-board]").dblclick({ position: { x: 560, y: 40 } });
      await findContentField(page).fill("made here");
      await page.keyboard.press("Escape");
      const newNote = card(page, "made here").locator("[data-note-body]").locator("..");
      await newNote.waitFor();
      expect(await newNote.evaluate((note) => getComputedStyle(note).insetInlineStart)).toBe("560px");

      await page.locator("[data-note-grip]:not(.needs-script)").first().waitFor();
      const surface = (await page.locator(".board").boundingBox())!;
      await page.mouse.dblclick(surface.x + surface.width - 30, surface.y + surface.height - 30);
      const writing = (await page.locator(".note-writing").boundingBox())!;
      expect(writing.x + writing.width).toBeLessThanOrEqual(surface.x + surface.width);
      expect(writing.y + writing.height).toBeLessThanOrEqual(surface.y + surface.height);
    },
  );

  detailJourney(
    "a click on a board finishes a note, and a double-click starts another one",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "One after another");
      await addNote(page, `/notes/new?board=${board}`, "already here");
      await enhanced(page);
      const surface = page.locator("[data-board]");
      await surface.dblclick({ position: { x: 300, y: 40 } });
      await findContentField(page).fill("Gamma");
      await surface.dblclick({ position: { x: 300, y: 300 } });
      await page.locator(".note-writing[inert] ~ .note-writing").waitFor();
      await page.keyboard.type("Delta");
      await surface.click({ position: { x: 700, y: 40 } });
      await card(page, "Delta").locator("[data-note-body]").waitFor();
      expect(await page.locator("[data-note-body]").allTextContents()).toEqual(
        expect.arrayContaining(["Gamma", "Delta"]),
      );
      expect(await page.locator(".note-writing").count()).toBe(0);

      await page.locator("[data-note-grip]:not(.needs-script)").first().waitFor();
      await surface.dblclick({ position: { x: 700, y: 40 } });
      await findContentField(page).waitFor();
      await surface.click({ position: { x: 40, y: 400 } });
      await page.locator(".note-writing").waitFor({ state: "detached" });
      expect(await page.locator("[data-note-body]").count(), "an empty card leaves nothing").toBe(3);
    },
  );

  detailJourney("the first note of a file with an outline leaves the code where it is", async ({ page }) => {
    const functions = Array.from({ length: 12 }, (_, i) => `def part_${i}():\n    return ${i}\n`);
    const id = await startWithFile(page, "outlined.py", functions.join("\n"));
    await page.goto(`/file/${id}`);
    await page.locator("[data-outline][open]").waitFor();
    const top = async () => (await page.locator(".code-box").boundingBox())!.y;
    const before = await top();
    await page.locator("#L3 .line-number").click();
    await page.getByRole("link", { name: "Add note" }).click();
    await findContentField(page).fill("on line 3");
    const [written, paper] = await Promise.all(
      [findContentField(page), page.locator(".note-writing")].map(
        async (element) => (await element.boundingBox())!,
      ),
    );
    expect(written!.y - paper!.y, "the ring of the focus is within the paper").toBeGreaterThan(5);
    await page.keyboard.press("Escape");
    await card(page, "on line 3").getByRole("link", { name: "Line 3", exact: true }).waitFor();
    expect(await top()).toBe(before);
    await page.goto(`/file/${id}`);
    await page.locator("[data-outline][open]").waitFor();
    expect(await top()).toBe(before);
  });

  detailJourney(
    "a board opens where its notes are, shows them all by a button, and is scrolled by dragging to its edge",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "Far away");
      await putNote(page, board, { content: "far away", position: { x: 3000, y: 2000 } });
      await page.goto(`/boards/${board}`);
      await enhanced(page);
      expect(await isInView(page, "far away")).toBe(true);

      await putNote(page, board, { content: "farther", position: { x: 4200, y: 2400 } });
      await page.goto(`/boards/${board}`);
      await page.locator("[data-note-grip]:not(.needs-script)").first().waitFor();
      expect(await isInView(page, "farther")).toBe(false);
      await page.getByRole("link", { name: "Show all notes" }).click();
      expect(await isInView(page, "far away")).toBe(true);
      expect(await isInView(page, "farther")).toBe(true);

      const area = (await page.locator(".board").boundingBox())!;
      const grip = (await card(page, "far away").locator("[data-note-grip]").boundingBox())!;
      await page.mouse.move(grip.x + 5, grip.y + 5);
      await page.mouse.down();
      await page.mouse.move(area.x + 10, area.y + area.height / 2, { steps: 3 });
      await page.waitForFunction(() => document.querySelector(".board")?.scrollLeft === 0);
      await page.mouse.up();
      expect(await isInView(page, "far away")).toBe(true);
    },
  );

  detailJourney(
    "by the keyboard alone a note is made in the middle of its board, and a note from a file returns to it",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "By keys");
      await page.locator("[data-board-spot]:not(.needs-script)").waitFor();
      await page.keyboard.press("n");
      await findContentField(page).fill("in the middle");
      await page.keyboard.press("Escape");
      const newNote = card(page, "in the middle").locator("[data-note-body]").locator("..");
      await newNote.waitFor();
      expect(new URL(page.url()).pathname).toBe(`/boards/${board}`);
      const [note, around] = [(await newNote.boundingBox())!, (await page.locator(".board").boundingBox())!];
      expect(note.x).toBeGreaterThan(around.x + around.width / 4);
      expect(note.x + note.width).toBeLessThanOrEqual(around.x + around.width);

      const name = `${"long-".repeat(12)}${Date.now()}.py`;
      const { file_id } = await (await page.request.put(`/api/files/${name}`, { data: "one\ntwo\n" })).json();
      const content = { content: "from a file", line_start: 1, line_end: 2 };
      const { id } = await (
        await page.request.post(`/api/sticky-notes/${file_id}`, { data: content })
      ).json();
      await page.request.post(`/api/sticky-notes/note/${id}/move`, { data: { board_id: board } });
      await page.goto(`/boards/${board}`);
      await page.locator(`#note-${id} .note-menu > summary`).press("Enter");
      const back = page.locator(`#note-${id}`).getByRole("button", { name: /Return to/ });
      const sheet = (await page.locator(`#note-${id} .menu-sheet`).boundingBox())!;
      const words = (await back.locator("span").boundingBox())!;
      expect(words.x + words.width).toBeLessThanOrEqual(sheet.x + sheet.width);
      await back.press("Enter");
      await page.getByRole("status").getByText(/Moved/).waitFor();
      expect(await page.locator(`#note-${id}`).count()).toBe(0);
      await page.goto(`/file/${file_id}`);
      await page.locator(`#note-${id} [data-note-body]`, { hasText: "from a file" }).waitFor();
    },
  );

  detailJourney(
    "a new note that outlives its session is not offered again once it is saved",
    async ({ page, expectError }) => {
      expectError(/status of 401/);
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "Written once");
      await addNote(page, `/notes/new?board=${board}`, "already here");
      await enhanced(page);
      const writeHere = () => page.locator("[data-board]").dblclick({ position: { x: 300, y: 40 } });
      await writeHere();
      await findContentField(page).waitFor();
      await page.context().clearCookies({ name: "session" });
      await findContentField(page).fill("only once");
      await page.getByText("You were logged out.").waitFor();
      await page.getByRole("button", { name: "Save note" }).click();
      await page.getByRole("heading", { name: "You were logged out" }).waitFor();
      const other = await page.context().newPage();
      await signIn(other, "Local administrator");
      await page.getByRole("button", { name: "Send again" }).click();
      await card(page, "only once").waitFor();

      await page.locator("[data-note-grip]:not(.needs-script)").first().waitFor();
      await writeHere();
      expect(await findContentField(page).inputValue()).toBe("");
    },
  );

  detailJourney(
    "a note is written beside the lines that are selected, saves itself and closes with Escape",
    async ({ page }) => {
      const id = await startWithFile(page, "beside.py");
      await page.goto(`/file/${id}`);
      await page.locator("#L3 .line-number").click();
      const bar = page.getByRole("toolbar", { name: "Selected lines" });
      await bar.getByRole("link", { name: "Share lines" }).waitFor();
      await page.locator("#L5 .line-number").click({ modifiers: ["Shift"] });
      expect(await bar.getByRole("link", { name: "Share lines" }).getAttribute("href")).toBe(
        `/file/${id}/share?L=3-5`,
      );
      const shareFile = page.getByRole("link", { name: "Share", exact: true });
      expect(await shareFile.getAttribute("href")).toMatch(new RegExp(`/file/${id}/share\\?L=3-5$`));
      await bar.getByRole("button", { name: "Note" }).click();
      await findContentField(page).fill("beside them");
      await page.getByText("Saved", { exact: true }).waitFor();
      await page.keyboard.type(" all");
      await page.keyboard.press("Escape");

      await card(page, "beside them all").locator("[data-note-body]").waitFor();
      await page.locator("#L3 .line-note").waitFor();
      expect(await page.locator(".note").count()).toBe(1);
      await page.reload();
      await card(page, "beside them all").getByRole("link", { name: "Lines 3–5" }).waitFor();

      await page.setViewportSize({ width: 390, height: 800 });
      await page.locator("#L3 .line-note").click();
      await page.locator("dialog.note-sheet .note", { hasText: "beside them all" }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".noted-list > .note", { hasText: "beside them all" }).waitFor();
    },
  );

  detailJourney("notes beside code stay at their lines when one more is written", async ({ page }) => {
    await signIn(page, "Local administrator");
    await saveFiles(page, { name: "many-notes.py", text: "line\n".repeat(60) });
    const id = new URL(page.url()).pathname.split("/").at(-1);
    for (const line_start of [2, 20])
      await page.request.post(`/api/sticky-notes/${id}`, {
        data: { content: `at ${line_start}`, line_start },
      });
    await page.goto(`/file/${id}`);
    await page.locator("#L40 .line-number").click();
    await page.getByRole("toolbar", { name: "Selected lines" }).getByRole("button", { name: "Note" }).click();
    await findContentField(page).fill("at 40");
    await page.keyboard.press("Escape");
    await card(page, "at 40").locator("[data-note-body]").waitFor();
    const tops = () =>
      page
        .locator(".noted-list > .note")
        .evaluateAll((notes) => notes.map((note) => (note as HTMLElement).offsetTop));
    const before = await tops();
    await page.reload();
    expect(before).toEqual(await tops());
    expect(before).toHaveLength(3);
  });

  detailJourney("a note moves those below it down while it is written", async ({ page }) => {
    const id = await startWithFile(page, "crowded.py");
    await addNote(page, `/notes/new?file=${id}&L=2`, "first one");
    await addNote(page, `/notes/new?file=${id}&L=3-5`, "second one");
    await page.goto(`/file/${id}`);
    expect(await page.locator(":is(#L3, #L4, #L5) > .line-note").count()).toBe(3);
    const [first, second] = [card(page, "first one"), card(page, "second one")];
    const measure = async () => {
      const [above, below] = await Promise.all([first.boundingBox(), second.boundingBox()]);
      return { top: below?.y ?? 0, gap: (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0) };
    };
    const before = await measure();
    expect(before.gap).toBeGreaterThan(0);
    await first.getByRole("link", { name: /^Edit/ }).click();
    await page.locator(".note-form textarea").waitFor();
    await expect.poll(async () => (await measure()).top).toBeGreaterThan(before.top);
    expect((await measure()).gap).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Done" }).click();
    await expect.poll(async () => (await measure()).top).toBe(before.top);
  });

  detailJourney("a note is dragged onto the name of another board", async ({ page }) => {
    await signIn(page, "Local administrator");
    const to = await openBoard(page, "Dropped here");
    const from = await openBoard(page, "Dragged from");
    await addNote(page, `/notes/new?board=${from}`, "carried over");
    await enhanced(page);
    const before = await readPlace(page);
    const grip = (await page.locator("[data-note-grip]").boundingBox())!;
    const name = page.getByRole("navigation", { name: "Boards" }).locator(`[data-board-drop="${to}"]`);
    // The shared account has more boards than fit.
    await name.scrollIntoViewIfNeeded();
    const target = (await name.boundingBox())!;

    await page.mouse.move(grip.x + 5, grip.y + 5);
    await page.mouse.down();
    await page.mouse.move(grip.x + 60, grip.y + 60);
    await page.mouse.move(target.x + 10, target.y + 10, { steps: 3 });
    await expect.poll(() => name.getAttribute("class")).toBe("board-over");
    await page.mouse.up();

    await page.getByText(/Moved .*carried over.* to .*Dropped here/).waitFor();
    expect(await page.locator(".note").count()).toBe(0);
    await page.getByText("This board is empty").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await card(page, "carried over").waitFor();
    expect(await readPlace(page)).toEqual(before);
    await page.goto(`/boards/${to}`);
    await page.getByText("This board is empty").waitFor();
  });

  detailJourney("the row of boards scrolls while a note is held at its end", async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 800 });
    await signIn(page, "Local administrator");
    const from = await openBoard(page, "Carried from");
    for (let n = 1; n <= 8; n += 1)
      await page.request.post("/api/note-boards", { data: { name: `A board between, number ${n}` } });
    const last = await openBoard(page, "The last of them");
    await addNote(page, `/notes/new?board=${from}`, "carried far");
    await enhanced(page);
    const strip = page.locator(".board-tabs");
    await strip.evaluate((element) => element.scrollTo(0, 0));
    const box = (await strip.boundingBox())!;
    const grip = (await page.locator("[data-note-grip]").boundingBox())!;

    await page.mouse.move(grip.x + 5, grip.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, box.y + 10, { steps: 4 });
    await expect
      .poll(() => page.locator(`[data-board-drop="${last}"]`).getAttribute("class"), { timeout: 20_000 })
      .toBe("board-over");
    expect(await strip.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await page.mouse.up();

    await page.getByText(/Moved .*carried far.* to .*The last of them/).waitFor();
  });

  detailJourney("a move that was not yet sent is sent when the page is left", async ({ page }) => {
    await signIn(page, "Local administrator");
    const board = await openBoard(page, "Left");
    await addNote(page, `/notes/new?board=${board}`, "moved and left");
    await enhanced(page);
    await page.locator("[data-note-grip]").focus();

    await page.keyboard.press("ArrowRight");
    await page.goto("/boards");

    await expect
      .poll(async () => {
        await page.goto(`/boards/${board}`);
        return (await readPlace(page))[0];
      })
      .toBe(34);
  });

  journey("a note is edited on its own paper and saved as it is typed", async ({ page }) => {
    await signIn(page, "Local administrator");
    const board = await openBoard(page, "In place");
    await addNote(page, `/notes/new?board=${board}`, "before");
    await page.getByRole("link", { name: /^Edit/ }).click();
    await findContentField(page).fill("# After\n- [ ] task <b>x</b>");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.locator("[data-note-body] h4", { hasText: "After" }).waitFor();
    const ticked = page.waitForResponse(/\/task$/);
    await page.getByRole("checkbox", { name: "task <b>x</b>" }).click();
    await ticked;

    await page.reload();
    await page.getByRole("checkbox", { name: "task <b>x</b>", checked: true }).waitFor();
  });

  detailJourney("a refused tick is undone", async ({ page, expectError }) => {
    expectError(/status of 409/);
    await signIn(page, "Local administrator");
    const board = await openBoard(page, "Taken back");
    await addNote(page, `/notes/new?board=${board}`, "tasks\n- [ ] one");
    const id = (await page.locator(".note").getAttribute("data-note"))!;
    await page.request.put(`/api/sticky-notes/note/${id}`, { data: { content: "other\n- [ ] one" } });
    await page.getByRole("checkbox", { name: "one" }).click();

    await page.getByText("Not updated: the note has changed.").waitFor();
    expect(await page.getByRole("checkbox", { name: "one", checked: false }).count()).toBe(1);
  });

  detailJourney(
    "a text that was changed elsewhere is compared, also from its own place",
    async ({ page, expectError }) => {
      expectError(/status of 409/);
      await signIn(page, "Local administrator");
      const board = await openBoard(page, "Compared");
      await addNote(page, `/notes/new?board=${board}`, "one");
      const id = (await page.locator(".note").getAttribute("data-note"))!;
      await page.getByRole("link", { name: /^Edit/ }).click();
      await findContentField(page).waitFor();
      await page.request.put(`/api/sticky-notes/note/${id}`, { data: { content: "one by them" } });
      await findContentField(page).fill("one by me");
      await page.getByText("Changed elsewhere.").waitFor();
      await page.locator(".note-form button").click();

      await page.getByRole("heading", { name: "This note was changed elsewhere" }).waitFor();
      expect(await page.getByLabel("Your version").inputValue()).toBe("one by me");
      expect(await page.getByLabel("Saved version").inputValue()).toBe("one by them");
    },
  );
}

async function drag(page: Page, handle: string, right: number, down: number): Promise<void> {
  const { x, y, width, height } = (await page.locator(handle).boundingBox())!;
  const [fromX, fromY] = [x + width / 2, y + height / 2];
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(fromX + right / 2, fromY + down / 2);
  await page.mouse.move(fromX + right, fromY + down);
  await page.mouse.up();
}

/** Waits until the script has added its controls. */
const enhanced = (page: Page) =>
  page.locator("[data-note-grip]:not(.needs-script)").first().waitFor({ state: "attached" });
