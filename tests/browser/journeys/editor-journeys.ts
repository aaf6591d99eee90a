import type { Page } from "playwright";
import { expect } from "vitest";
import { codeIn, detailJourney, fillCode, journey, signIn, upload } from "#tests/browser/stage.ts";

const editor = (page: Page) => page.locator(".cm-content");
const fileId = (page: Page) => /[0-9a-f]{24}/.exec(page.url())![0];

async function editing(page: Page, name: string, text: string): Promise<string> {
  await signIn(page, "Local administrator");
  await upload(page, { name, text });
  await page.getByRole("heading", { name }).waitFor();
  const id = fileId(page);
  await page.goto(`/edit/${id}`);
  await editor(page).waitFor();
  return id;
}

type Dropped = { name: string; text?: string; bytes?: number[] };

/** Drops files onto the page. False if the browser would open them. */
function drop(page: Page, files: Dropped[]): Promise<boolean> {
  return page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text, bytes } of dropped)
      dataTransfer.items.add(new File([bytes ? new Uint8Array(bytes) : (text ?? "")], name));
    const isLeft = ["dragenter", "dragover", "drop"].map((type) =>
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
    );
    return !isLeft.includes(true);
  }, files);
}

/** The editor's lines whose text is not visible across the whole width. */
const findHiddenLines = (page: Page) =>
  page.locator(".cm-line").evaluateAll((lines) => {
    const { left, right } = document.querySelector(".cm-scroller")!.getBoundingClientRect();
    return lines
      .filter((line) => {
        const text = document.createRange();
        text.selectNodeContents(line);
        const box = text.getBoundingClientRect();
        return box.left < left || box.right > right;
      })
      .map((line) => line.textContent!.slice(0, 20));
  });

export function editorJourneys(): void {
  detailJourney(
    "every line of a Hebrew text is visible in the editor on a phone, wrapped or not",
    async ({ page }) => {
      const long = `long ${"words ".repeat(60)}`;
      const id = await editing(page, "שלום.md", `# שלום\n\nשורה קצרה\n\n${long}\n`);
      await page.locator(".cm-lineWrapping").waitFor();
      expect(await findHiddenLines(page)).toEqual([]);

      await page.request.post("/preferences", {
        form: { code_wrap: "off" },
        headers: { Origin: new URL(page.url()).origin },
      });
      await page.goto(`/edit/${id}`);
      await page.locator(".cm-line[dir=auto]").first().waitFor();
      expect(await page.locator(".cm-lineWrapping").count()).toBe(0);
      expect(await findHiddenLines(page)).toEqual([long.slice(0, 20)]);
    },
    { viewport: { width: 390, height: 844 } },
  );

  detailJourney("a Hebrew task runs from the right, ticked or not", async ({ page }) => {
    await editing(page, "משימות.md", "- [ ] לקנות חלב\n- [x] לשלוח מכתב\n- [x] write a letter\n");
    await page.locator(".cm-line[dir]").first().waitFor();
    const directions = await page
      .locator(".cm-line")
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).direction));
    expect(directions.slice(0, 3)).toEqual(["rtl", "rtl", "ltr"]);
  });

  detailJourney("Hebrew cells of a table keep their places while it is edited", async ({ page }) => {
    await editing(page, "מלאי.csv", "פריט,מחיר,ספק\n");
    await page.locator(".cm-line bdi").nth(2).waitFor();
    const findPlaces = () =>
      page.locator(".cm-line bdi").evaluateAll((cells) =>
        cells
          .map((cell) => ({ text: cell.textContent, left: cell.getBoundingClientRect().left }))
          .sort((a, b) => a.left - b.left)
          .map(({ text }) => text),
      );
    expect(await findPlaces()).toEqual(["פריט", "מחיר", "ספק"]);
    await editor(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type(",הערה");
    expect(await findPlaces()).toEqual(["פריט", "מחיר", "ספק", "הערה"]);
  });

  detailJourney(
    "Markdown is shown beside the editor while it is typed, instead of it on a phone, and also the next time",
    async ({ page }) => {
      await editing(page, "previewed.md", "# Before\n");
      const toggle = page.getByRole("button", { name: "Preview", exact: true });
      const preview = page.getByRole("region", { name: "Preview" });
      await toggle.click();
      await preview.getByRole("heading", { name: "Before" }).waitFor();
      await editor(page).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("\n## שלום");
      const heading = preview.getByRole("heading", { name: "שלום" });
      await heading.waitFor();
      expect(await heading.evaluate((shown) => getComputedStyle(shown).direction)).toBe("rtl");
      const beside = await Promise.all([editor(page), preview].map((part) => part.boundingBox()));
      expect(beside[0]!.x + beside[0]!.width).toBeLessThan(beside[1]!.x);
      await page.setViewportSize({ width: 390, height: 844 });
      await editor(page).waitFor({ state: "hidden" });
      await heading.waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });

      await page.reload();
      await preview.getByRole("heading", { name: "Before" }).waitFor();
      await page.getByLabel("Language").selectOption("text");
      await toggle.waitFor({ state: "hidden" });
      expect(await preview.isHidden()).toBe(true);
    },
    { viewport: { width: 1280, height: 800 } },
  );

  detailJourney("Enter in an empty item of Markdown ends the list, even after one item", async ({ page }) => {
    await editing(page, "listed.md", "");
    await page.locator(".cm-lineWrapping").waitFor();
    for (const [list, written] of [
      ["1. one\n\nafter", "1. one\nafter"],
      ["- one\ntwo\n\nafter", "- one\n- two\nafter"],
    ] as const) {
      await editor(page).click();
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Delete");
      await page.keyboard.type(list);
      expect((await page.locator(".cm-line").allTextContents()).join("\n")).toBe(written);
    }
  });

  journey("code is typed in colours, saved by Ctrl+S, and kept over a reload", async ({ page }) => {
    const id = await editing(page, "typed.py", "def one():\r\n    pass\r\n");
    await page.locator(".cm-line span[class]", { hasText: "def" }).waitFor();
    await page.getByRole("textbox", { name: "Content", exact: true }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("two = 2");
    const readDraft = () =>
      page.evaluate(
        (fileId) => Object.entries(localStorage).find(([key]) => key.includes(`:${fileId}#`))?.[1] ?? "",
        id,
      );
    await expect.poll(readDraft).toContain("two = 2");

    await page.reload();
    await page.getByRole("button", { name: "Restore" }).click();
    expect(await codeIn(page, "on")).toBe("def one():\n    pass\ntwo = 2");
    await page.keyboard.press("Control+s");
    await page.waitForURL(`**/file/${id}`);
    const saved = await page.request.get(`/download/${id}`);
    expect(await saved.text()).toBe("def one():\r\n    pass\r\ntwo = 2");
  });

  detailJourney(
    "an untouched text is saved without a new version, whatever its line ends",
    async ({ page }) => {
      const id = await editing(page, "mixed.txt", "one\r\ntwo\nthree");
      await page.getByLabel("Description").fill("Ends of two kinds");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(`**/file/${id}`);
      await page.getByText("Details saved").waitFor();
      expect(await (await page.request.get(`/download/${id}`)).text()).toBe("one\r\ntwo\nthree");
    },
  );

  detailJourney("the number of the last line is not cut off", async ({ page }) => {
    await signIn(page, "Local administrator", "/upload");
    await editor(page).waitFor();
    await fillCode(page, "on", Array.from({ length: 14 }, (_, i) => `line ${i + 1}`).join("\n"));
    const last = page.locator(".cm-lineNumbers .cm-gutterElement", { hasText: /^14$/ });
    await last.waitFor();
    const lacks = () =>
      last.evaluate((number) => {
        const column = number.parentElement?.getBoundingClientRect();
        return Math.max(0, number.getBoundingClientRect().bottom - (column?.bottom ?? 0));
      });
    await expect.poll(lacks).toBeLessThan(1);
  });

  detailJourney("Tab indents, and Escape then Tab leaves the editor", async ({ page }) => {
    await editing(page, "tab.py", "pass\n");
    await editor(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Tab");
    expect(await codeIn(page, "on")).toBe("    pass\n");
    await page.getByText("press Esc, then Tab").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.locator("#description:focus").waitFor();
  });

  detailJourney("the plain text field is a button away, and stays chosen", async ({ page }) => {
    const id = await editing(page, "plain.txt", "one\n");
    await fillCode(page, "on", "two\n");
    await page.getByRole("button", { name: "Plain editor" }).click();
    expect(await page.getByLabel("Content", { exact: true }).inputValue()).toBe("two\n");
    await page.goto(`/edit/${id}`);
    await page.getByLabel("Content", { exact: true }).fill("three\n");
    await page.getByRole("button", { name: "Plain editor" }).click();
    expect(await codeIn(page, "on")).toBe("three\n");
  });

  detailJourney("lines too long for the editor keep the plain field", async ({ page }) => {
    await signIn(page, "Local administrator");
    const body = `short\n${"x".repeat(30_000)}\n`;
    const answer = await page.request.put("/api/files/long-line.txt", { data: body });
    await page.goto(`/edit/${(await answer.json()).file_id}`);
    await page.waitForLoadState("networkidle");
    expect(await page.getByLabel("Content", { exact: true }).inputValue()).toBe(body);
    expect(await editor(page).count()).toBe(0);
  });

  detailJourney("dropped files that cannot be saved are named and left out", async ({ page }) => {
    await signIn(page, "Local administrator");
    await page.goto("/upload");
    await editor(page).waitFor();
    await drop(page, [
      { name: "dropped.py", text: "x = 1\n" },
      { name: "picture.bin", bytes: [0, 1, 2] },
    ]);

    const rows = page.locator(".chosen-file");
    await rows.filter({ hasText: "picture.bin" }).getByText("looks like a binary file").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Remove the files with errors").waitFor();
    await page.getByRole("button", { name: "Remove picture.bin" }).click();
    await drop(page, [{ name: "second.txt", text: "two\n" }]);
    expect(await rows.count()).toBe(2);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL("**/files");
    expect(await page.getByRole("status").textContent()).toMatch(/^Saved 2 files/);
  });

  detailJourney(
    "on a phone only the button for many chosen files stays visible, and it uploads those without errors",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await page.goto("/upload");
      await editor(page).waitFor();
      const good = Array.from({ length: 7 }, (_, i) => ({ name: `many-${i}.py`, text: `x = ${i}\n` }));
      await drop(page, [...good, ...["a.bin", "b.bin"].map((name) => ({ name, bytes: [0, 1] }))]);
      await page.locator(".chosen-file", { hasText: "b.bin" }).getByText("binary file").waitFor();
      const others = page.getByRole("button", { name: "Upload the other 7 files" });
      await page.locator(".chosen-file").first().scrollIntoViewIfNeeded();
      await others.waitFor();
      const { y, height } = (await others.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(700);
      const position = (selector: string) =>
        page.locator(selector).evaluate((bar) => getComputedStyle(bar).position);
      expect([await position(".chosen-bar"), await position(".save-bar")]).toEqual(["sticky", "static"]);

      await others.click();
      await page.waitForURL("**/files");
      expect(await page.getByRole("status").textContent()).toMatch(/^Saved 7 files/);
    },
    { viewport: { width: 390, height: 700 } },
  );

  detailJourney("files are sent once when Upload is pressed twice", async ({ page }) => {
    await signIn(page, "Local administrator");
    await page.goto("/upload");
    await editor(page).waitFor();
    await drop(
      page,
      Array.from({ length: 8 }, (_, i) => ({ name: `pressed-${i}.py`, text: `x = ${i}\n` })),
    );
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/upload")) sent += 1;
    });
    await page.locator("[data-chosen-save]").dblclick();
    await page.waitForURL("**/files");
    expect(await page.getByRole("status").textContent()).toMatch(/^Saved 8 files/);
    expect(sent).toBe(1);
  });

  detailJourney("no chosen file is lost when the session ends", async ({ page, expectError }) => {
    expectError(/401/);
    await signIn(page, "Local administrator");
    await page.goto("/upload");
    await editor(page).waitFor();
    await drop(page, [{ name: "patient.txt", text: "waits\n" }]);
    await page.context().clearCookies({ name: "session" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("You were logged out.").waitFor();
    await signIn(await page.context().newPage(), "Local administrator");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "patient.txt" }).waitFor();
  });

  detailJourney("an existing name is noticed before saving", async ({ page }) => {
    await signIn(page, "Local administrator");
    const put = (path: string, text: string) => page.request.put(`/api/files/${path}`, { data: text });
    for (const text of ["1\n", "2\n", "3\n"]) expect((await put("hinted/again.py", text)).ok()).toBe(true);
    const { file_id } = await (await put("hinted/other.py", "x\n")).json();
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/file?")) requests += 1;
    });
    const hint = page.locator("[data-name-hint]");

    await page.goto("/upload");
    await page.locator("#folder").selectOption({ label: "hinted" });
    await page.locator("#file_name").pressSequentially("again.py");
    await page.getByText("again.py exists here. Saving creates version 4 of it.").waitFor();
    expect(requests).toBe(1);
    await page.locator("#folder").selectOption("root");
    await expect.poll(() => hint.textContent()).toBe("");
    await page.locator("#file_name").fill("hinted/again.py");
    await hint.getByRole("link", { name: "again.py" }).click();
    await page.getByRole("heading", { name: "again.py" }).waitFor();

    for (const path of [`/file/${file_id}?details=name`, `/edit/${file_id}`]) {
      await page.goto(path);
      const name = page.locator("#file_name");
      await name.fill("again.py");
      await page.getByText("again.py exists here. Choose another name.").waitFor();
      const answered = page.waitForResponse(/\/api\/file\?/);
      await name.fill("other.py");
      await answered;
      expect(await hint.textContent()).toBe("");
      // An element that is out of the flow leaves no gap between the fields.
      expect(await hint.evaluate((empty) => getComputedStyle(empty).position), path).toBe("absolute");
    }
  });

  detailJourney("a pasted text that is too large is not sent, and says so", async ({ page }) => {
    await signIn(page, "Local administrator");
    await page.goto("/upload");
    await page.locator("#file_name").fill("large.txt");
    await editor(page).waitFor();
    const paste = (lines: number) =>
      editor(page).evaluate((element: HTMLElement, lines) => {
        element.focus();
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "a line of text to keep\n".repeat(lines));
        element.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }, lines);
    const alert = page.getByRole("alert").filter({ hasText: "too large to save" });
    await paste(100_000);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await alert.waitFor();
    expect(new URL(page.url()).pathname).toBe("/upload");
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await paste(10);
    await alert.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "large.txt" }).waitFor();
  });

  detailJourney("files dropped onto the list are saved and undone", async ({ page, expectError }) => {
    expectError(/415/);
    await signIn(page, "Local administrator");
    await page.goto("/files");
    await drop(page, [{ name: "carried.txt", text: "over\n" }]);
    const toast = page.getByRole("status").filter({ hasText: /Saved .*carried/ });
    await toast.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/Moved .*carried.* to trash/).waitFor();
    expect(await page.getByRole("link", { name: "carried.txt" }).count()).toBe(0);
    await drop(page, [{ name: "picture.bin", bytes: [0, 1, 2] }]);
    await page.waitForURL("**/upload");
    await page.locator(".chosen-file", { hasText: "picture.bin" }).waitFor();

    await page.goto("/files");
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "pasted\ntext");
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForURL("**/upload");
    await page.locator("#file_name:focus").fill("pasted.txt");
    await expect.poll(() => codeIn(page, "on")).toBe("pasted\ntext");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "pasted.txt" }).waitFor();
  });

  detailJourney("files dropped onto any page are saved in its folder, and undone", async ({ page }) => {
    await signIn(page, "Local administrator");
    const put = (path: string) => page.request.put(`/api/files/${path}`, { data: "x\n" });
    const { file_id } = await (await put("dropped-into/shown.py")).json();
    const file = `/file/${file_id}`;
    const pages = ["/dashboard", file, "/boards", "/notes", "/search?q=x", "/settings"];
    for (const [at, path] of pages.entries()) {
      const name = `anywhere-${at}.txt`;
      await page.goto(path);
      const address = page.url();
      await page.evaluate(() => document.body.setAttribute("data-same-page", ""));
      expect(await drop(page, [{ name, text: `${path}\n` }]), path).toBe(true);
      const toast = page.getByRole("status").filter({ hasText: `Saved` }).filter({ hasText: name });
      await toast.getByRole("button", { name: "Undo" }).waitFor();
      expect(page.url()).toBe(address);
      expect(await page.locator("body[data-same-page]").count(), path).toBe(1);
      const saved = path === file ? `dropped-into/${name}` : name;
      expect(await (await page.request.get(`/api/files/${saved}`)).text()).toBe(`${path}\n`);
      await toast.getByRole("button", { name: "Undo" }).click();
      await page.getByText(/Moved .*anywhere.* to trash/).waitFor();
    }
  });

  detailJourney("a drop loses no typed text", async ({ page }) => {
    const id = await editing(page, "stays-typed.py", "one\n");
    for (const path of [`/edit/${id}`, "/notes/new"]) {
      await page.goto(path);
      if (path === "/notes/new") await page.locator("textarea[name=content]").fill("typed");
      else await fillCode(page, "on", "typed");

      expect(await drop(page, [{ name: "refused.txt", text: "x\n" }]), path).toBe(true);

      await page.getByRole("alert").getByText("Files were not uploaded").waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      expect(new URL(page.url()).pathname).toBe(path);
      const text =
        path === "/notes/new"
          ? await page.locator("textarea[name=content]").inputValue()
          : await codeIn(page, "on");
      expect(text).toBe("typed");
    }
    expect((await page.request.get("/api/files/refused.txt")).status()).toBe(404);
  });
}
