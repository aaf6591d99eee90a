/** Pages that Chromium prerenders when a person points at a link, and shows on the click. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openPrerenderingTab } from "#tests/support/product/prerendering-tab.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({});
const visitor = await web.visitor().logIn("7");
await visitor.ask("/api/welcome/ack", { method: "POST" });
for (const name of ["first.py", "second.py", "third.py", "fourth.py"])
  await visitor.ask(`/api/files/${name}`, { method: "PUT", body: `print("${name}")\n` });
const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: web.url }));
const tab = await openPrerenderingTab({ cookies });
afterAll(() => tab.close());
beforeEach(() => tab.goto(`${web.url}/files`));

const WAS_PRERENDERED = `performance.getEntriesByType("navigation")[0].activationStart > 0`;
const findLink = (name: string) =>
  `[...document.querySelectorAll(".file-name")].find((link) => link.textContent.includes("${name}"))`;
/** A click elsewhere closes a menu only with JavaScript. */
const IS_ENHANCED = `(() => {
  const menu = document.querySelector("details.menu");
  menu.open = true;
  document.body.click();
  return !menu.open;
})()`;
const WAIT = { timeout: 10_000 };

async function listOpened(): Promise<string[]> {
  const { files } = await (await visitor.ask("/api/files?category=recent")).json();
  return files.map((file: { file_name: string }) => file.file_name);
}

async function pointUntilDrawn(link: string): Promise<void> {
  await tab.point(link);
  await expect.poll(() => tab.drawsEarly(), WAIT).toBe(true);
  // No event says that prerendering is complete.
  await pause(1_000);
}

async function clickFile(link: string): Promise<void> {
  await tab.click(link);
  await tab.waitUntil(`location.pathname.startsWith("/file/") && document.readyState === "complete"`);
}

describe("a prerendered page", () => {
  it("is shown at the click, with what JavaScript adds to it", async () => {
    await pointUntilDrawn(findLink("first.py"));
    await clickFile(findLink("first.py"));
    expect(await tab.evaluate(WAS_PRERENDERED)).toBe(true);
    expect(await tab.evaluate("document.title")).toContain("first.py");
    await tab.waitUntil(IS_ENHANCED);
  });

  it("counts as opened only when it is shown", async () => {
    await expect.poll(listOpened, WAIT).toEqual(["first.py"]);
    await pointUntilDrawn(findLink("second.py"));
    expect(await listOpened()).toEqual(["first.py"]);
    await clickFile(findLink("second.py"));
    expect(await tab.evaluate(WAS_PRERENDERED)).toBe(true);
    await expect.poll(listOpened, WAIT).toEqual(["second.py", "first.py"]);
  });

  it("is prerendered again after a change", async () => {
    await pointUntilDrawn(findLink("third.py"));
    await tab.evaluate(
      `fetch("/api/files/third.py", { method: "PUT", body: "print('changed')" }).then(String)`,
    );
    await clickFile(findLink("third.py"));
    expect(await tab.evaluate(`document.querySelector("pre.code").textContent`)).toContain("changed");
  });

  it("is kept for reading without a network only when it is shown", async () => {
    // From now on the worker answers requests for pages.
    await tab.waitUntil("navigator.serviceWorker.ready.then(() => true)");
    const link = findLink("fourth.py");
    const path = await tab.evaluate<string>(`${link}.pathname`);
    const isKept = () => tab.evaluate(`caches.match("${path}", { ignoreVary: true }).then(Boolean)`);
    await pointUntilDrawn(link);
    expect(await isKept()).toBe(false);
    await clickFile(link);
    await expect.poll(isKept, WAIT).toBe(true);
  });
});
