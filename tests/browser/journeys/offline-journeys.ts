import type { Page } from "playwright";
import { expect } from "vitest";
import {
  detailJourney,
  fillCode,
  journey,
  openMenu,
  productUrl,
  signIn,
  signInAs,
  upload,
} from "#tests/browser/stage.ts";

const WITH_WORKER = { serviceWorkers: "allow", cuttable: true } as const;

const sign = (page: Page) => page.getByRole("status").filter({ hasText: /offline/i });

/**
 * Waits until the worker has stored the page for the signed-in person. In Chromium a page that was loading when the worker started is not
 * stored; the worker answers from the next page on.
 */
async function kept(page: Page, path: string): Promise<void> {
  const look = () =>
    page.evaluate(async (address) => {
      const cacheName = `pages:${document.body.dataset.reader}`;
      const names = await caches.keys();
      const pages = names.includes(cacheName) ? await caches.open(cacheName) : null;
      return {
        at: location.href,
        names,
        pages: ((await pages?.keys()) ?? []).map(({ url }) => new URL(url).pathname),
        isKept: (await pages?.match(address, { ignoreVary: true })) !== undefined,
      };
    }, path);
  await expect.poll(look, { timeout: 25_000 }).toMatchObject({ isKept: true });
}

export function offlineJourneys(): void {
  journey(
    "an opened page can be read without a network, says so, and is gone after the log-out",
    async ({ page, network, expectError }) => {
      expectError(
        /ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to fetch/,
      );
      await signIn(page, "Local administrator");
      await upload(page, { name: "train.py", text: "print('on the train')\n" });
      const { pathname } = new URL(page.url());
      await kept(page, pathname);
      await kept(page, "/offline");
      await upload(page, { name: `${"long_".repeat(30)}.py`, text: "1\n" });
      await page.getByRole("heading", { name: /^long_/ }).waitFor();
      await kept(page, new URL(page.url()).pathname);

      await network.cut();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto("/offline");
      await page.getByRole("link", { name: /^long_/ }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await page.goto(`${pathname}?L=1`);
      await page.getByText("on the train").waitFor();
      await sign(page)
        .getByText(/copy from/)
        .waitFor();
      await page.goto("/settings");
      await page.getByRole("alert").getByText("this page isn’t saved here").waitFor();
      await page.getByRole("link", { name: "train.py" }).click();
      await page.getByRole("heading", { name: "train.py" }).waitFor();

      await network.mend();
      await page.goto("/logout");
      await page.getByText("Logged out").waitFor();
      await signInAs(page, "601", "Noa");
      await page.goto("/files");
      await kept(page, "/offline");
      await network.cut();
      await page.goto(pathname);
      await page.getByText("No pages yet. Pages you open are saved here.").waitFor();
      expect(await page.getByText("train.py").count()).toBe(0);
    },
    WITH_WORKER,
  );

  detailJourney(
    "a link of another site to the log-out removes no stored page",
    async ({ page, network, expectError }) => {
      expectError(
        /status of 403|ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to fetch/,
      );
      await signIn(page, "Local administrator");
      await upload(page, { name: "lured.py", text: "print('still here')\n" });
      const { origin, pathname } = new URL(page.url());
      await kept(page, pathname);

      await page.goto(`data:text/html,<a href="${origin}/logout">A prize</a>`);
      await page.getByRole("link").click();
      await page.getByRole("heading", { name: "Log out?" }).waitFor();
      await page.goto(
        `data:text/html,<form method="post" action="${origin}/logout"><button>A prize</button></form>`,
      );
      await page.getByRole("button").click();
      await page.waitForURL("**/logout");

      await network.cut();
      await page.goto(pathname);
      await page.getByText("still here").waitFor();
    },
    WITH_WORKER,
  );

  detailJourney(
    "a waiting form is not sent for another person who logs in",
    async ({ page, network, expectError }) => {
      expectError(
        /status of 401|ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to (fetch|load)/,
      );
      await signInAs(page, "602", "Gal");
      await page.goto("/notes/new");
      await kept(page, "/offline");
      await network.cut();
      await page.locator("textarea[name=content]").fill("only for Gal");
      await page.getByRole("button", { name: "Save note" }).click();
      await page.locator("#outbox").getByText("only for Gal").waitFor();

      await page.context().clearCookies();
      await signInAs(page, "603", "Tal", productUrl());
      const sent = page.waitForResponse(
        (response) => response.url().endsWith("/notes/new") && response.request().method() === "POST",
      );
      await network.mend();
      expect((await sent).status()).toBe(401);
      const { notes } = await (
        await page.request.get("/notes", { headers: { Accept: "application/json" } })
      ).json();
      expect(notes).toEqual([]);
      await page.locator("#outbox").getByText("only for Gal").waitFor();
    },
    WITH_WORKER,
  );

  detailJourney(
    "a page that began loading before the service worker started is stored too",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/assets/**", async (route) => {
        await released;
        await route.continue();
      });
      await page.goto("/notes", { waitUntil: "commit" });
      const other = await page.context().newPage();
      await other.goto("/files");
      await kept(other, "/offline");
      const isControlled = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
      await expect.poll(isControlled, { timeout: 25_000 }).toBe(true);
      release();
      await kept(page, "/notes");
    },
    { serviceWorkers: "allow" },
  );

  detailJourney(
    "a slow page shows a frame without personal data at once, and is requested once",
    async ({ page, network }) => {
      await signIn(page, "Local administrator", "/files");
      await kept(page, "/offline");
      const hasFrame = () => page.evaluate(() => caches.has("/frame"));
      await expect.poll(hasFrame, { timeout: 25_000 }).toBe(true);
      const requests: string[] = [];
      page.context().on("request", (request) => {
        if (new URL(request.url()).pathname === "/trash" && request.serviceWorker())
          requests.push(request.url());
      });

      network.hold();
      await page.goto("/trash");
      await page.locator("[data-waiting]").waitFor();
      expect(new URL(page.url()).pathname).toBe("/trash");
      await page.getByRole("navigation").getByRole("link", { name: "All files" }).waitFor();
      expect(await page.content()).not.toContain("Local administrator");
      expect(await page.evaluate(() => document.body.dataset.reader)).toBeUndefined();
      await network.mend();
      await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
      expect(await page.locator("[data-waiting]").count()).toBe(0);
      expect(requests).toHaveLength(1);

      await page.goBack();
      await page.waitForURL("**/files");
      await page.locator("main h1").waitFor();
      await page.goto("/logout");
      await page.getByText("Logged out").waitFor();
      await expect.poll(hasFrame).toBe(false);
    },
    WITH_WORKER,
  );

  journey(
    "a save without a network is sent on return, and a conflicting text is shown beside it",
    async ({ page, network, expectError }) => {
      expectError(
        /ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to fetch|status of 409/,
      );
      await signIn(page, "Local administrator");
      await upload(page, { name: "tunnel.txt", text: "one\n" });
      const id = /[0-9a-f]{24}/.exec(page.url())![0];
      await page.goto(`/edit/${id}`);
      await kept(page, `/edit/${id}`);
      const offlineEdit = async (text: string) => {
        // The editor itself is loaded over the network.
        await page.locator(".cm-content").waitFor();
        await network.cut();
        await fillCode(page, "on", text);
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("heading", { name: "Waiting to sync" }).waitFor();
        await page.locator("#outbox").getByText("tunnel.txt").waitFor();
      };

      await offlineEdit("two\n");
      await network.mend();
      await page.getByText("Offline changes synced.").waitFor();
      expect(await (await page.request.get(`/download/${id}`)).text()).toBe("two\n");

      await page.goto(`/edit/${id}`);
      await offlineEdit("mine\n");
      await page.request.put(`${productUrl()}/api/files/tunnel.txt`, { data: "theirs\n" });
      await network.mend();
      await page.getByText("An offline change couldn’t be saved.").waitFor();
      await page.getByRole("button", { name: "Review" }).click();
      await page.waitForURL(`**/edit/${id}`);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      expect(await page.locator("main").textContent()).toMatch(/theirs[\s\S]*mine|mine[\s\S]*theirs/);
    },
    WITH_WORKER,
  );

  detailJourney(
    "Back to a refused save shows the form, sends nothing again and does not mention the network",
    async ({ page, expectError }) => {
      expectError(/status of 400/);
      await signIn(page, "Local administrator");
      await upload(page, { name: "refused.txt", text: "one\n" });
      const edit = `/edit/${/[0-9a-f]{24}/.exec(page.url())![0]}`;
      await page.goto(edit);
      await kept(page, edit);
      const save = page.getByRole("button", { name: "Save", exact: true });
      await page.getByLabel("File name").fill("re/fused.txt");
      await save.click();
      await page.getByRole("alert").waitFor();
      const mended = `mended-${Date.now()}.txt`;
      await page.getByLabel("File name").fill(mended);
      await save.click();
      await page.getByRole("heading", { name: mended }).waitFor();

      await page.goBack();
      await page.waitForURL(`**${edit}`);
      await expect.poll(() => page.getByLabel("File name").inputValue()).toBe(mended);
      expect(await sign(page).count()).toBe(0);
    },
    { serviceWorkers: "allow" },
  );

  detailJourney(
    "a note typed in place without a network is sent by its page or by a later one, and a log-out asks first",
    async ({ page, network, expectError }) => {
      expectError(
        /ERR_(INTERNET_DISCONNECTED|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|Failed to (fetch|load)/,
      );
      await signIn(page, "Local administrator");
      const file = await page.request.put(`/api/files/bridge-${Date.now()}.py`, { data: "one = 1\n" });
      const path = `/file/${(await file.json()).file_id}`;
      const list = `/api/sticky-notes${path.slice(5)}`;
      await page.request.post(list, { data: { content: "at first", line_start: 1 } });
      const stored = async () => (await (await page.request.get(list)).json()).notes[0].content;
      await page.goto(path);
      await kept(page, path);
      await kept(page, "/offline");
      const note = page.locator(".note");
      const typeOffline = async (text: string) => {
        await network.cut();
        await note.locator("textarea").fill(text);
        await note.getByText("Saved in this browser").waitFor();
      };
      const letters = page.locator("#outbox").getByRole("listitem");

      await note.locator("[data-note-edit]").click();
      await note.locator("textarea").waitFor();
      await typeOffline("by its page");
      await network.mend();
      await note.getByText("Saved", { exact: true }).waitFor();
      expect(await stored()).toBe("by its page");

      await typeOffline("by a later page");
      await page.goto("/offline");
      await letters.getByText("by a later page").waitFor();
      page.once("dialog", (dialog) => dialog.dismiss());
      await openMenu(page, "Your account");
      await page.getByRole("button", { name: "Log out", exact: true }).click();
      await letters.getByText("by a later page").waitFor();
      await network.mend();
      await page.getByText("Offline changes synced.").waitFor();
      expect(await stored()).toBe("by a later page");

      await page.goto(path);
      await note.locator("[data-note-edit]").click();
      await note.locator("textarea").waitFor();
      await typeOffline("thrown away");
      await page.goto("/offline");
      await letters.getByText("thrown away").waitFor();
      page.once("dialog", (dialog) => dialog.accept());
      await openMenu(page, "Your account");
      await page.getByRole("button", { name: "Log out", exact: true }).click();
      await page.getByText("this browser is still logged in").waitFor();
      await network.mend();
      await page.goto("/offline");
      await page.getByText("Nothing to sync.").waitFor();
      expect(await stored()).toBe("by a later page");
    },
    WITH_WORKER,
  );
}
