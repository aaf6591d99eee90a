/** Effects of styles and of the browser itself, with JavaScript and without: these journeys run in a browser twice. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect } from "vitest";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import {
  detailJourney,
  fillCode,
  type JavaScript,
  type JourneyOptions,
  journey,
  openMenu,
  saveFiles,
  signIn,
  signInCode,
  type Walk,
} from "#tests/browser/stage.ts";
import { listenHere } from "#tests/support/serve.ts";
import { isInView, openBoard, putNote } from "./note-journeys.ts";

/** The script that the guide gives to people who embed a file. */
function readListener(): string {
  const guide = readFileSync(join(PROJECT_ROOT, "docs/sharing.md"), "utf8");
  return required(/<script>[\s\S]*?<\/script>/.exec(guide)?.[0], "script of the guide");
}

async function openSite(body: string) {
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<!DOCTYPE html>${body}`);
  });
  return { url: `${await listenHere(server)}/`, close: () => server.close() };
}

/** Journeys that scripts do not change run without JavaScript every time, and with it if the commit draws them. */
export function styleJourneys(javaScript: JavaScript): void {
  const take = javaScript === "off" ? journey : detailJourney;
  const styleJourney = (claim: string, walk: Walk, options: JourneyOptions = {}) =>
    take(claim, walk, { ...options, javaScript });

  styleJourney(
    "on a phone the ways through the library are in a menu",
    async ({ page }) => {
      await signIn(page, "Local reader", "/dashboard");
      await openMenu(page, "Menu");
      await page.getByRole("link", { name: "All files" }).click();
      await page.waitForURL("**/files");
    },
    { viewport: { width: 390, height: 780 } },
  );

  styleJourney("the first stop of the keyboard skips to the content", async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Skip to content" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("main:focus").waitFor();
  });

  styleJourney("a note that is far away on its board is brought into view", async ({ page }) => {
    await signIn(page, "Local administrator");
    const board = await openBoard(page, `Far ${javaScript}`);
    await page.getByText("Use Add note to write one.").waitFor();
    expect(await page.getByText("Or double-click").isVisible()).toBe(javaScript === "on");
    await putNote(page, board, { content: "far away", position: { x: 3000, y: 2000 } });
    await page.goto(`/boards/${board}`);
    await page.getByRole("link", { name: "Show all notes" }).click();
    expect(await isInView(page, "far away")).toBe(true);
  });

  styleJourney("a choice of how code is shown leaves the choices in view", async ({ page }) => {
    await signIn(page, "Local reader", "/settings");
    const sizes = page.getByRole("group", { name: "Code size" });
    await sizes.getByRole("button", { name: "Large", exact: true }).click();
    const chosen = sizes.getByRole("button", { name: "Large", exact: true, pressed: true });
    await chosen.waitFor();
    const readTop = () => chosen.evaluate((button) => button.getBoundingClientRect().top);
    await expect.poll(readTop).toBeLessThan(page.viewportSize()!.height);
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  });

  journey(
    "a link to shared lines scrolls to them and marks them",
    async ({ page }) => {
      const name = `shared-lines-${javaScript}.py`;
      const text = Array.from({ length: 200 }, (_, i) => `line_${i + 1} = ${i + 1}`).join("\n");
      await signIn(page, "Local administrator");
      const file = `/file/${await saveFiles(page, { name, text })}`;
      await page.goto(`${file}/share?L=140-142`);
      await page.getByRole("button", { name: "Create link" }).click();
      await page
        .getByRole("status")
        .getByText(/^Link created for .*, lines .*140-142/)
        .waitFor();
      expect(new URL(page.url()).pathname).toBe(file);
      const marked = page.locator(".line-marked");
      expect(await marked.evaluateAll((lines) => lines.map(({ id }) => id))).toEqual([
        "L140",
        "L141",
        "L142",
      ]);
      const isInView = () =>
        marked.first().evaluate((line) => {
          const { top, bottom } = line.getBoundingClientRect();
          return top > 0 && bottom < window.innerHeight;
        });
      await expect.poll(isInView).toBe(true);
    },
    { javaScript },
  );

  journey(
    "a shared file is shown in a frame of another site, as high as its code",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      const id = await saveFiles(page, { name: `framed-${javaScript}.py`, text: "line = 1\n".repeat(40) });
      const created = await page.request.post(`/api/share/${id}`, { data: {} });
      const { share_id } = await created.json();
      const address = new URL(`/share/${share_id}/embed`, page.url()).href;
      const site = await openSite(`<iframe src="${address}" style="height:100px"></iframe>${readListener()}`);

      await page.goto(site.url);
      const code = page.frameLocator("iframe").locator(".code");
      await code.getByText("line = 1").last().waitFor();
      const measure = async () => ({
        frame: (await page.locator("iframe").boundingBox())!.height,
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
      site.close();
    },
    { javaScript },
  );

  styleJourney(
    "what is wrong with the link to a folder does not cover the form on a phone",
    async ({ page }) => {
      await signIn(page, "Local administrator");
      await page.request.put("/api/files/journey-shared/a.py", { data: "1\n" });
      await page.goto("/files");
      await page
        .getByRole("navigation", { name: "Folders" })
        .getByRole("link", { name: "journey-shared" })
        .click();
      await openMenu(page, "Share");
      await page.getByLabel("Password").fill("short");
      const create = page.getByRole("button", { name: "Create link" });
      await create.click();
      await page.getByText("Enter a password of 6 to 200 characters.").waitFor();
      await page.getByLabel("Password").fill("long enough");
      await create.click({ trial: true, timeout: 5000 });
    },
    { viewport: { width: 390, height: 640 } },
  );
}

/** The browser alone keeps a text whose session ended. */
export function openPageJourney(): void {
  journey(
    "without a script, Log in keeps the page with the text open",
    async ({ page, expectError }) => {
      expectError(/401/);
      await signIn(page, "Local administrator", "/upload");
      await page.getByLabel("File name").fill("stays-open.txt");
      await fillCode(page, "off", "typed before\nthe session ended\n");
      await page.context().clearCookies({ name: "session" });
      await page.getByRole("button", { name: "Save", exact: true }).click();

      const opened = page.waitForEvent("popup");
      await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
      const login = await opened;
      await login.getByLabel("Login code").fill(signInCode());
      await login.getByRole("button", { name: "Local administrator" }).click();
      await login.waitForURL("**/upload");
      await page.getByRole("button", { name: "Send again" }).click();

      await page.getByRole("heading", { name: "stays-open.txt" }).waitFor();
    },
    { javaScript: "off" },
  );
}
