import { expect } from "vitest";
import { DAY_MS } from "#domain/time/durations.ts";
import { formJourney, type JavaScript, readDownload, signInAs } from "#tests/browser/stage.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";

/** Signs in as a person of this journey only, with the welcome dismissed. */
async function arrive(page: WebPage, id: string): Promise<void> {
  await signInAs(page, id, "Tamar");
  await page.request.post("/api/welcome/ack");
}

const json = async (page: WebPage, path: string) => (await page.request.get(path)).json();

export function settingsJourneys(javaScript: JavaScript): void {
  const on = javaScript === "on";

  formJourney(
    "a person chooses the appearance and the instructions for agents, and logs out everywhere",
    javaScript,
    async ({ page, drawn, another, expectError }) => {
      expectError(/status of 413/);
      const id = on ? "633" : "634";
      await arrive(page, id);
      await page.goto("/settings");
      const main = page.locator("main");
      await main.getByRole("button", { name: "Dark", exact: true }).click();
      await page.locator('html[data-theme="dark"]').waitFor();
      await main.getByRole("button", { name: "עברית" }).click();
      await page.locator('html[dir="rtl"]').waitFor();
      await main.getByRole("button", { name: "English" }).click();
      await main.getByRole("combobox", { name: "Time zone" }).fill("Asia/Jerusalem");
      await main.getByRole("button", { name: "Save time zone" }).click();
      await page.getByRole("status").waitFor();
      const keys = main.getByRole("group", { name: "Keyboard shortcuts" });
      await keys.getByRole("button", { name: "Off" }).click();
      await keys.getByRole("button", { name: "Off", pressed: true }).waitFor();
      expect(await json(page, "/api/me")).toMatchObject({ timezone: "Asia/Jerusalem", locale: "en" });

      const field = main.getByRole("textbox", { name: "Instructions" });
      const meter = main.getByRole("meter", { name: "Space used" });
      const tooMuch = "שלום ".repeat(3_000);
      await field.fill(tooMuch);
      if (drawn) expect(await meter.evaluate((element: HTMLMeterElement) => element.value)).toBe(24 * 1024);
      await main.getByRole("button", { name: "Save instructions" }).click();
      await page.getByRole("alert").waitFor();
      expect((await field.inputValue()).trim()).toBe(tooMuch.trim());
      await field.fill("Write tests first.");
      await main.getByRole("button", { name: "Save instructions" }).click();
      await page.getByText("Instructions saved").waitFor();
      expect(await meter.evaluate((element: HTMLMeterElement) => element.value)).toBe(18);
      expect(await (await page.request.get("/api/agent/primer")).text()).toContain("Write tests first.");

      const otherPage = await another();
      await arrive(otherPage, id);
      await page.goto("/settings/sessions");
      await page.getByRole("button", { name: "Log out other sessions" }).click();
      await page.getByText("1 session logged out").waitFor();
      expect(await json(otherPage, "/api/me")).toMatchObject({ authenticated: false });
      await arrive(otherPage, id);
      const created = await otherPage.request.post("/settings/tokens", {
        form: { intent: "create", name: "ci", scope: "read", lifetime: "7" },
        headers: { Accept: "application/json" },
      });
      const { secret } = await created.json();
      await page.goto("/settings/sessions");
      await page.getByRole("heading", { name: "Access tokens" }).waitFor();
      await page.locator(".person-menu > summary").click();
      await page.getByRole("button", { name: "Log out everywhere" }).click();
      await page.getByText("Logged out everywhere.").waitFor();
      for (const visitor of [page, otherPage])
        expect(await json(visitor, "/api/me")).toMatchObject({ authenticated: false });
      const bearer = { headers: { Authorization: `Bearer ${secret}` } };
      expect((await page.request.get("/api/files", bearer)).status()).toBe(401);
      await arrive(page, id);
      await page.goto("/settings/sessions");
      await page.locator("summary", { hasText: "Log out everywhere" }).click();
      await page.getByRole("button", { name: "End all access" }).click();
      await page.waitForURL("**/login");
      expect(await json(page, "/api/me")).toMatchObject({ authenticated: false });
    },
  );

  formJourney(
    "a library is exported, deleted, imported unchanged and explained, and then the account is deleted",
    javaScript,
    async ({ page, expectError }) => {
      expectError(/status of 400/);
      const id = on ? "635" : "636";
      await arrive(page, id);
      const fileId = await fill(page);
      const before = await everything(page);

      await page.goto("/settings/export");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download zip" }).click(),
      ]);
      const buffer = await readDownload(download);
      await throwAllAway(page);
      expect(await everything(page)).not.toEqual(before);
      await page.goto("/settings/export");
      await page
        .getByLabel("Zip file")
        .setInputFiles({ name: "library.zip", mimeType: "application/zip", buffer });
      await page.getByRole("button", { name: "Check zip" }).click();
      // The page reloads by itself until the worker is done.
      const soon = { timeout: 30_000 };
      await page.getByRole("heading", { name: "Ready to import" }).waitFor(soon);
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByRole("heading", { name: "Import finished" }).waitFor(soon);
      expect(await everything(page)).toEqual(before);

      await page.goto(`/file/${fileId}`);
      await page.locator("summary", { hasText: "Explain" }).click();
      await page.getByRole("button", { name: "Explain", exact: true }).click();
      const explanation = page.getByRole("region", { name: "Explanation" });
      await explanation.getByText("Line 2:").first().waitFor();
      await explanation.getByText("Analysed on this server.").waitFor();

      await page.goto("/settings/delete");
      const words = page.getByLabel(/to confirm$/);
      await words.fill("delete");
      await page.getByRole("button", { name: "Delete my account" }).click();
      await page.getByRole("alert").waitFor();
      await words.fill("Delete my account");
      await page.getByRole("button", { name: "Delete my account" }).click();
      await page.getByText("Your account was deleted").waitFor();
      expect((await page.request.get("/api/files")).status()).toBe(401);
      await arrive(page, id);
      expect(await everything(page)).toMatchObject({ files: [], notes: [] });
    },
    { timeoutMs: 90_000 },
  );
}

async function fill(page: WebPage): Promise<string> {
  const send = async (path: string, data: object) =>
    (await (await page.request.post(path, { data })).json()) as Record<string, never>;
  for (const data of ["a = 1\n", "try: a()\nexcept: pass\n"])
    await page.request.put(`/api/files/${encodeURIComponent("שלום.py")}`, { data });
  const { files } = await json(page, "/api/files");
  const { id } = await send(`/api/sticky-notes/${files[0].id}`, { content: "- [ ] look", line_start: 2 });
  const dueAt = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 16);
  await send(`/api/sticky-notes/note/${id}/reminder`, { at: dueAt, tz: "UTC" });
  const { board } = await send("/api/note-boards", { name: "תוכניות" });
  await send(`/api/sticky-notes/board/${(board as unknown as { id: string }).id}`, {
    title: "Plan",
    content: "first",
  });
  return files[0].id;
}

/** Reads a library by API, without the times of reading. */
async function everything(page: WebPage) {
  const { files } = await json(page, "/api/files");
  const { boards } = await json(page, "/api/note-boards");
  const notes: object[] = [];
  const texts: string[] = [];
  for (const { id, version } of files) {
    notes.push(...(await json(page, `/api/sticky-notes/${id}`)).notes);
    for (let number = 1; number <= version; number += 1)
      texts.push(await (await page.request.get(`/download/${id}?v=${number}`)).text());
  }
  for (const { id } of boards) notes.push(...(await json(page, `/api/sticky-notes/board/${id}`)).notes);
  const comparableFiles = files.map(({ last_opened_at: _, ...file }: { last_opened_at: string }) => file);
  return { files: comparableFiles, texts, notes, boards };
}

async function throwAllAway(page: WebPage): Promise<void> {
  const { boards } = await json(page, "/api/note-boards");
  for (const { id } of boards) {
    const { notes } = await json(page, `/api/sticky-notes/board/${id}`);
    for (const note of notes) await page.request.delete(`/api/sticky-notes/note/${note.id}`);
    await page.request.delete(`/api/note-boards/${id}`);
  }
  await page.goto("/files");
  await page.getByRole("checkbox", { name: /^Select / }).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.goto("/trash");
  await page.locator("summary", { hasText: "Empty trash" }).click();
  await page.getByRole("button", { name: /^Delete 1 file forever$/ }).click();
  await page.getByRole("heading", { name: "Trash is empty" }).waitFor();
}
