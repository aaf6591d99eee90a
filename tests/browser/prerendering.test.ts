/** Pages that Chromium opens when a link is pressed and shows when it is clicked, as people have them. */
import { afterAll, describe, expect, it } from "vitest";
import { openPrerenderingTab } from "#tests/support/product/prerendering-tab.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb({});
const visitor = await web.visitor().logIn("7");
await visitor.ask("/api/welcome/ack", { method: "POST" });
for (const name of ["first.py", "second.py"])
  await visitor.ask(`/api/files/${name}`, { method: "PUT", body: `print("${name}")\n` });
const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: web.url }));
const tab = await openPrerenderingTab({ cookies });
afterAll(() => tab.close());

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

async function listOpened(): Promise<string[]> {
  const { files } = await (await visitor.ask("/api/files?category=recent")).json();
  return files.map((file: { file_name: string }) => file.file_name);
}

describe("a page that was opened when its link was pressed", () => {
  it("is shown at the click, with what JavaScript adds to it", async () => {
    await tab.goto(`${web.url}/files`);
    await tab.click(findLink("first.py"));
    await tab.waitUntil(`location.pathname.startsWith("/file/")`);
    expect(await tab.evaluate(WAS_PRERENDERED)).toBe(true);
    expect(await tab.evaluate("document.title")).toContain("first.py");
    await tab.waitUntil(IS_ENHANCED);
  });

  it("counts as opened", async () => {
    expect(await listOpened()).toEqual(["first.py"]);
  });
});
