import type { Page } from "playwright";
import { expect } from "vitest";
import {
  codeIn,
  detailJourney,
  fillCode,
  journey,
  openMenu,
  type Person,
  signIn,
  signInCode,
  upload,
} from "#tests/browser/stage.ts";

const TYPED = "typed before\nthe session ended\n";

type WrittenForm = {
  /** Opens the page with the form and returns its address. */
  open(page: Page): Promise<string>;
  fill(page: Page): Promise<void>;
  send: string;
  read(page: Page): Promise<string>;
};

const note = {
  fill: (page: Page) => page.locator("textarea[name=content]").fill(TYPED),
  send: "Save note",
  read: (page: Page) => page.locator("textarea[name=content]").inputValue(),
};
const file = {
  fill: (page: Page) => fillCode(page, "on", TYPED),
  send: "Save",
  read: (page: Page) => codeIn(page, "on"),
};

async function openPage(page: Page, path: string): Promise<string> {
  await page.goto(path);
  return path;
}

const FORMS: Record<string, WrittenForm> = {
  "a new file": {
    ...file,
    open: (page) => openPage(page, "/upload"),
    fill: async (page) => {
      await page.getByLabel("File name").fill("outlives.txt");
      await file.fill(page);
    },
  },
  "an edited file": {
    ...file,
    open: async (page) => {
      await upload(page, { name: "outlives-edit.txt", text: "one\n" });
      return openPage(page, new URL(page.url()).pathname.replace("/file/", "/edit/"));
    },
  },
  "a new note": { ...note, open: (page) => openPage(page, "/notes/new") },
  "an edited note": {
    ...note,
    open: async (page) => {
      await page.goto("/notes/new");
      await page.locator("textarea[name=content]").fill("one");
      await page.getByRole("button", { name: "Save note" }).click();
      await page.waitForURL("**#note-*");
      return openPage(page, `/note/${page.url().split("#note-").at(-1)}/edit`);
    },
  },
  "a program in Code tools": {
    ...file,
    open: (page) => openPage(page, "/tools/code"),
    fill: async (page) => {
      await page.getByLabel("File name").fill("outlives-tool.txt");
      await file.fill(page);
    },
    send: "Save as a file",
  },
};

async function logIn(page: Page, person: Person): Promise<void> {
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Login code").fill(signInCode());
  await page.getByRole("button", { name: person }).click();
}

const restore = (page: Page) => page.getByRole("button", { name: "Restore" });

/** Sends a filled form after its session has ended; the page then says so. */
async function sendTooLate(page: Page, form: WrittenForm): Promise<string> {
  await signIn(page, "Local administrator");
  const address = await form.open(page);
  await form.fill(page);
  await page.context().clearCookies({ name: "session" });
  await page.getByRole("button", { name: form.send, exact: true }).click();
  await page.getByRole("heading", { name: "You were logged out" }).waitFor();
  return address;
}

export function draftJourneys(): void {
  for (const [name, form] of Object.entries(FORMS)) {
    const walkThis = form === FORMS["a new file"] ? journey : detailJourney;
    walkThis(`${name} outlives its session when one logs in on the same page`, async (visit) => {
      const { page, expectError } = visit;
      expectError(/401/);
      const address = await sendTooLate(page, form);

      await logIn(page, "Local administrator");

      await page.waitForURL(({ pathname }) => pathname === address);
      await restore(page).click();
      expect(await form.read(page)).toBe(TYPED);
      await page.getByRole("button", { name: form.send, exact: true }).click();
      await page.waitForURL(({ pathname }) => pathname !== address);
      await page.getByRole("status").first().waitFor();
      await page.goto(address);
      expect(await restore(page).isVisible(), "a saved text is not offered").toBe(false);
    });
  }

  detailJourney("a draft is not offered to another person of the same browser", async (visit) => {
    const { page, expectError } = visit;
    expectError(/401/);
    await sendTooLate(page, FORMS["a new file"]!);

    await logIn(page, "Local reader");

    await page.waitForURL("**/upload");
    expect(await codeIn(page, "on")).toBe("");
    expect(await restore(page).isVisible()).toBe(false);
    await page.context().clearCookies({ name: "session" });
    await signIn(page, "Local administrator", "/upload");
    await restore(page).click();
    expect(await codeIn(page, "on")).toBe(TYPED);
  });

  detailJourney("an edit on the page of an ended session is kept too", async (visit) => {
    const { page, expectError } = visit;
    expectError(/401/);
    await sendTooLate(page, FORMS["a new file"]!);
    await page.getByLabel("Your text").fill(`${TYPED}and more\n`);

    await logIn(page, "Local administrator");

    await page.waitForURL("**/upload");
    await restore(page).click();
    expect(await codeIn(page, "on")).toBe(`${TYPED}and more\n`);
    expect(await page.getByLabel("File name").inputValue()).toBe("outlives.txt");
  });

  detailJourney(
    "a text without an answer is offered again",
    async ({ page, network, expectError }) => {
      expectError(/ERR_/);
      await signIn(page, "Local administrator", "/upload");
      await page.getByLabel("File name").fill("unanswered.txt");
      await fillCode(page, "on", TYPED);
      await network.cut();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(/chrome-error/);
      await network.mend();

      await page.goto("/dashboard");
      await page.goto("/upload");

      await restore(page).click();
      expect(await codeIn(page, "on")).toBe(TYPED);
    },
    { cuttable: true },
  );

  detailJourney("a log-out asks before it deletes drafts, and leaves none", async ({ page }) => {
    const countDrafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft:")).length);
    const logOut = async (answer: "accept" | "dismiss") => {
      const dialogMessage = page.waitForEvent("dialog").then(async (dialog) => {
        await dialog[answer]();
        return dialog.message();
      });
      await page.getByRole("button", { name: "Log out", exact: true }).click();
      return dialogMessage;
    };
    await signIn(page, "Local reader", "/upload");
    await fillCode(page, "on", TYPED);
    await expect.poll(countDrafts).toBe(1);
    await openMenu(page, "Your account");

    expect(await logOut("dismiss")).toContain("not saved yet");
    expect(await countDrafts()).toBe(1);
    await logOut("accept");
    await page.getByText("Logged out").waitFor();
    expect(await countDrafts()).toBe(0);
  });

  detailJourney("two tabs each keep the text that was typed in them", async ({ page }) => {
    const text = (tab: Page) => tab.locator("textarea[name=content]");
    const discard = (tab: Page) => tab.getByRole("button", { name: "Discard" });
    await signIn(page, "Local administrator", "/notes/new");
    const other = await page.context().newPage();
    await other.goto("/notes/new");
    const tabs = [page, other] as const;
    await text(page).fill("AAA one");
    await text(other).fill("BBB two");
    for (const tab of tabs) {
      await tab.getByRole("main").getByRole("link", { name: "Cancel" }).click();
      await tab.waitForURL((url) => url.pathname !== "/notes/new");
    }
    for (const tab of tabs) await tab.goto("/notes/new");

    await page.getByText("unsaved draft. AAA one").waitFor();
    await other.getByText("unsaved draft. BBB two").waitFor();
    await restore(page).click();
    expect(await text(page).inputValue()).toBe("AAA one");
    // Restoring another draft does not lose the text typed since then.
    await page.getByText("unsaved draft. BBB two").waitFor();
    await text(page).fill("AAA three");
    await restore(page).click();
    expect(await text(page).inputValue()).toBe("BBB two");
    await page.getByText("unsaved draft. AAA three").waitFor();

    await page.getByRole("button", { name: "Save note", exact: true }).click();
    await page.waitForURL("**#note-*");
    await page.goto("/notes/new");
    await page.getByText("unsaved draft. AAA three").waitFor();
    await discard(page).click();
    expect(await restore(page).isVisible(), "the saved text and the discarded one are gone").toBe(false);
    await page.reload();
    expect(await restore(page).isVisible()).toBe(false);
  });

  detailJourney("a discarded draft is followed by the next one, even by an old one", async (visit) => {
    const { page } = visit;
    await signIn(page, "Local administrator", "/notes/new");
    await page.evaluate(() => {
      const draft = { fields: { content: "kept before" }, at: "/notes/new" };
      localStorage.setItem(`draft:${document.body.dataset.reader}:new-note`, JSON.stringify(draft));
    });
    await page.locator("textarea[name=content]").fill("typed later");
    await page.goto("/notes/new");

    await page.getByText("unsaved draft. typed later").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("unsaved draft. kept before").waitFor();
    await restore(page).click();
    expect(await page.locator("textarea[name=content]").inputValue()).toBe("kept before");
    expect(await restore(page).isVisible()).toBe(false);
  });
}
