import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { required } from "#domain/required.ts";
import { type JavaScript, journey, productUrl, signIn, signInAs, upload } from "#tests/browser/stage.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";
import { violations } from "./access-journeys.ts";

/** Somebody else, in a browser of their own. */
async function another(page: Page, javaScript: JavaScript): Promise<Page> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: productUrl(), locale: "en", javaScriptEnabled: javaScript === "on" });
  context.setDefaultTimeout(10_000);
  return context.newPage();
}

/** The script that the guide gives to whoever embeds a file. */
function readListener(): string {
  const guide = readFileSync(join(PROJECT_ROOT, "docs/sharing.md"), "utf8");
  return required(/<script>[\s\S]*?<\/script>/.exec(guide)?.[0], "script of the guide");
}

async function openSite(body: string) {
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<!DOCTYPE html>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const addressIn = (page: Page) => page.getByRole("textbox", { name: /^Link to/ }).inputValue();

export function shareJourneys(javaScript: JavaScript): void {
  journey(
    "a file is shared, read by a stranger, saved by another, and revoked",
    javaScript,
    async ({ page }) => {
      const name = `share-${javaScript}.py`;
      await signIn(page, "Local administrator");
      await upload(page, { name, text: "first = 1\nsecond = 2\nthird = 3\n" });
      await page.getByRole("link", { name: "Share", exact: true }).click();
      await page.getByRole("radio", { name: "Selected lines" }).check();
      await page.getByLabel("Lines", { exact: true }).fill("2-3");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("status").getByText("Link created for").waitFor();
      const address = await addressIn(page);

      const stranger = await another(page, javaScript);
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
      await stranger.context().close();
    },
  );

  journey("lines that were shared are in view again, and marked", javaScript, async ({ page }) => {
    const name = `shared-lines-${javaScript}.py`;
    const text = Array.from({ length: 200 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");
    await signIn(page, "Local administrator");
    await upload(page, { name, text });
    const file = new URL(page.url()).pathname;
    await page.goto(`${file}/share?L=140-142`);
    await page.getByRole("button", { name: "Create link" }).click();
    await page
      .getByRole("status")
      .getByText(/^Link created for .*, lines .*140-142/)
      .waitFor();
    expect(new URL(page.url()).pathname).toBe(file);
    const marked = page.locator(".line-marked");
    expect(await marked.evaluateAll((lines) => lines.map(({ id }) => id))).toEqual(["L140", "L141", "L142"]);
    const isInView = () =>
      marked.first().evaluate((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return top > 0 && bottom < window.innerHeight;
      });
    await expect.poll(isInView).toBe(true);
  });

  journey(
    "a share with a password and a limit is opened as often as it allows",
    javaScript,
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await upload(page, { name: `locked-${javaScript}.md`, text: "# Behind it\n\nwords\n" });
      await page.getByRole("link", { name: "Share", exact: true }).click();
      await page.getByLabel("View limit").fill("1");
      await page.getByLabel("Password").fill("open sesame");
      await page.getByRole("button", { name: "Create link" }).click();
      const address = await addressIn(page);

      const stranger = await another(page, javaScript);
      await stranger.goto(address);
      await stranger.getByLabel("Password").fill("a guess");
      await stranger.getByRole("button", { name: "Open" }).click();
      await stranger.getByText("Wrong password.").waitFor();
      await stranger.getByLabel("Password").fill("open sesame");
      await stranger.getByRole("button", { name: "Open" }).click();
      await stranger.getByRole("link", { name: "Preview", exact: true }).click();
      await stranger.getByRole("heading", { name: "Behind it" }).waitFor();
      const late = await another(page, javaScript);
      expect((await late.goto(address))!.status()).toBe(404);
      await late.context().close();
      await stranger.context().close();
    },
  );

  journey(
    "a shared file is shown in a frame of another site, as high as its code",
    javaScript,
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await upload(page, { name: `framed-${javaScript}.py`, text: "line = 1\n".repeat(40) });
      await page.getByRole("link", { name: "Share", exact: true }).click();
      await page.getByRole("button", { name: "Create link" }).click();
      const address = await addressIn(page);
      const site = await openSite(
        `<iframe src="${address}/embed" style="height:100px"></iframe>${readListener()}`,
      );

      const reader = await another(page, javaScript);
      await reader.goto(site.url);
      const code = reader.frameLocator("iframe").locator(".code");
      await code.getByText("line = 1").last().waitFor();
      const measure = async () => ({
        frame: (await reader.locator("iframe").boundingBox())!.height,
        code: (await code.boundingBox())!.height,
      });
      if (javaScript === "off") expect((await measure()).frame).toBeLessThan((await measure()).code);
      else
        await expect
          .poll(async () => {
            const { frame, code } = await measure();
            return frame >= code && frame < code + 100;
          })
          .toBe(true);
      await reader.context().close();
      site.close();
    },
  );

  journey("several files are shared under one link", javaScript, async ({ page }) => {
    const names = [`link-a-${javaScript}.py`, `link-b-${javaScript}.md`];
    await signIn(page, "Local administrator");
    await upload(page, ...names.map((name) => ({ name, text: `# ${name}\n` })));
    await page.goto("/files");
    for (const name of names)
      await page.getByRole("checkbox", { name: new RegExp(`^Select .*${name}`) }).check();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("status").getByText("Link created for 2 files").waitFor();

    const stranger = await another(page, javaScript);
    await stranger.goto(await addressIn(page));
    await stranger.getByRole("heading", { name: "2 shared files" }).waitFor();
    await stranger.getByRole("link", { name: names[0]! }).click();
    await stranger.locator(".code", { hasText: names[0]! }).waitFor();
    await stranger.getByRole("link", { name: "All 2 files" }).click();
    const [download] = await Promise.all([
      stranger.waitForEvent("download"),
      stranger.getByRole("link", { name: "Download as zip" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    await stranger.context().close();
  });
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
        const stranger = await another(page, "on");
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
        await stranger.context().close();
      },
      { timeoutMs: AXE_MS },
    );
}
