import type { Page } from "playwright";
import { expect } from "vitest";
import { fillCode, journey, signIn, signInAs, upload } from "./stage.ts";

const WITH_WORKER = { serviceWorkers: "allow" } as const;

const sign = (page: Page) => page.getByRole("status").filter({ hasText: /offline/i });

/** Until the worker answers for the pages and has kept the one at this address. */
async function kept(page: Page, path: string): Promise<void> {
  const isKept = () =>
    page.evaluate(async (address) => {
      if (!navigator.serviceWorker.controller) return false;
      return (await caches.match(address, { ignoreVary: true })) !== undefined;
    }, path);
  await expect.poll(isKept, { timeout: 10_000 }).toBe(true);
}

export function offlineJourneys(): void {
  journey(
    "what was opened is read without a network, says so, and is gone once nobody is logged in @enhanced",
    "on",
    async ({ page, expectError }) => {
      expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
      await signIn(page, "Local administrator");
      await upload(page, { name: "train.py", text: "print('on the train')\n" });
      const { pathname } = new URL(page.url());
      await kept(page, pathname);
      await kept(page, "/offline");

      await page.context().setOffline(true);
      await page.goto(`${pathname}?L=1`);
      await page.getByText("on the train").waitFor();
      await sign(page)
        .getByText(/copy from/)
        .waitFor();
      await page.goto("/settings");
      await page.getByRole("alert").getByText("the page you asked for is not kept here").waitFor();
      await page.getByRole("link", { name: "train.py" }).click();
      await page.getByRole("heading", { name: "train.py" }).waitFor();

      await page.context().setOffline(false);
      await page.goto("/logout");
      await page.getByText("You are logged out.").waitFor();
      await signInAs(page, "601", "Noa");
      await page.goto("/files");
      await kept(page, "/offline");
      await page.context().setOffline(true);
      await page.goto(pathname);
      await page.getByText("Nothing yet. Pages you open are kept as you go.").waitFor();
      expect(await page.getByText("train.py").count()).toBe(0);
    },
    WITH_WORKER,
  );

  journey(
    "what is saved without a network is sent on return, and what met another text is shown beside it @enhanced",
    "on",
    async ({ page, expectError }) => {
      expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 409/);
      await signIn(page, "Local administrator");
      await upload(page, { name: "tunnel.txt", text: "one\n" });
      const id = /[0-9a-f]{24}/.exec(page.url())![0];
      await page.goto(`/edit/${id}`);
      await kept(page, `/edit/${id}`);
      const offlineEdit = async (text: string) => {
        await page.context().setOffline(true);
        await fillCode(page, "on", text);
        await page.getByRole("button", { name: "Save", exact: true }).click();
        await page.getByRole("heading", { name: "Waiting to be sent" }).waitFor();
        await page.locator("#outbox").getByText("tunnel.txt").waitFor();
      };

      await offlineEdit("two\n");
      await page.context().setOffline(false);
      await page.getByText("What you saved offline is sent.").waitFor();
      expect(await (await page.request.get(`/download/${id}`)).text()).toBe("two\n");

      await page.goto(`/edit/${id}`);
      await offlineEdit("mine\n");
      await page.request.put("/api/files/tunnel.txt", { data: "theirs\n" });
      await page.context().setOffline(false);
      await page.getByText("needs a look from you").waitFor();
      await page.getByRole("button", { name: "Send and look" }).click();
      await page.waitForURL(`**/edit/${id}`);
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      expect(await page.locator("main").textContent()).toMatch(/theirs[\s\S]*mine|mine[\s\S]*theirs/);
    },
    WITH_WORKER,
  );
}
