import type { Page } from "playwright";
import { expect } from "vitest";
import {
  formJourney,
  type JavaScript,
  journey,
  productUrl,
  saveFiles,
  signIn,
  signInAs,
} from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";
import { violations } from "./access-journeys.ts";

const addressIn = (page: WebPage) => page.getByRole("textbox", { name: /^Link to/ }).inputValue();

export function shareJourneys(javaScript: JavaScript): void {
  formJourney(
    "a file is shared, read by a stranger, saved by another, and revoked",
    javaScript,
    async ({ page, another }) => {
      const name = `share-${javaScript}.py`;
      await signIn(page, "Local administrator");
      await saveFiles(page, { name, text: "first = 1\nsecond = 2\nthird = 3\n" });
      await page.getByRole("link", { name: "Share", exact: true }).click();
      await page.getByRole("radio", { name: "Selected lines" }).check();
      await page.getByLabel("Lines", { exact: true }).fill("2-3");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("status").getByText("Link created for").waitFor();
      const address = await addressIn(page);

      const stranger = await another();
      await stranger.goto(address);
      await stranger.getByRole("heading", { name }).waitFor();
      expect(await stranger.locator(".line").allTextContents()).toEqual(["2second = 2", "3third = 3"]);
      expect(await stranger.context().cookies()).toEqual([]);
      await stranger.getByRole("link", { name: "Log in to save" }).click();
      await stranger.waitForURL("**/login?next=*");
      await signInAs(stranger, javaScript === "on" ? "611" : "612", "Omer");
      await stranger.request.post("/api/welcome/ack");
      await stranger.goto(stranger.url());
      await stranger.waitForURL(address);
      await stranger.getByRole("button", { name: "Save to library" }).click();
      await stranger.getByRole("heading", { name: `${name}.md` }).waitFor();

      await page.goto("/shares");
      const row = page.getByRole("listitem").filter({ hasText: name });
      expect(await row.locator("dd").first().textContent()).toBe("2");
      await row.locator("summary", { hasText: "Revoke" }).click();
      await row.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("Link revoked").waitFor();
      expect((await stranger.goto(address))!.status()).toBe(404);
      await stranger.getByText("This link doesn’t exist or has expired.").waitFor();
    },
  );
}

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>\n';
const AXE_MS = 90_000;
const LIGHT = { theme: "light", locale: "en" };
const LOOKS = isFullRun ? [LIGHT, { theme: "dark", locale: "he" }] : [LIGHT];

/** The pages of shares as axe reads them, to their owner and to a stranger. */
export function shareLooks(): void {
  for (const look of LOOKS)
    journey(
      `axe finds nothing wrong with shares in ${look.theme}, ${look.locale}`,
      "on",
      async ({ page }) => {
        await signIn(page, "Local administrator");
        const save = async (name: string, data: string) =>
          (await (await page.request.put(`/api/files/${name}`, { data })).json()).file_id as string;
        const share = async (id: string, data: object) =>
          (await (await page.request.post(`/api/share/${id}`, { data })).json()).share_id as string;
        const id = await save("look-share.md", "# Title\n\n## Part\n\nwords\n");
        const [plain, locked] = [
          await share(id, {}),
          await share(id, { password: "open sesame", max_views: 2 }),
        ];
        const html = await share(await save("look-share.html", "<h1>Page</h1>\n"), {});
        const svg = await share(await save("look-share.svg", DRAWING), {});
        const made = await page.request.post("/api/files/create-share-link", { data: { file_ids: [id] } });
        const { token } = await made.json();
        const context = await page.context().browser()!.newContext({ baseURL: productUrl(), locale: "en" });
        const stranger = await context.newPage();
        const cookies = Object.entries(look).map(([name, value]) => ({ name, value, url: productUrl() }));
        for (const visitor of [page, stranger]) await visitor.context().addCookies(cookies);
        const places: [Page, string][] = [
          [page, `/shares?made=${plain}`],
          [page, `/file/${id}/share`],
          ...[plain, `${plain}?view=md`, locked, `${html}?view=html`, `${svg}?view=svg`].map(
            (end): [Page, string] => [stranger, `/share/${end}`],
          ),
          [stranger, `/shared/${token}`],
          [stranger, `/shared/${token}/1`],
        ];
        for (const [visitor, path] of places) {
          await visitor.goto(path);
          expect(await violations(visitor), path).toEqual([]);
        }
        await context.close();
      },
      { timeoutMs: AXE_MS },
    );
}
