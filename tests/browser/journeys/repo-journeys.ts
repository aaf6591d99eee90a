import { expect } from "vitest";
import { formJourney, type JavaScript, signIn } from "#tests/browser/stage.ts";
import { createRemote } from "#tests/support/repos/git-remotes.ts";

const ENGINE = "import sys\n\n\ndef start_the_engine():\n    return sys.argv\n";
const SYNCED_MS = 60_000;

export function repoJourneys(javaScript: JavaScript): void {
  const name = `dana/tools-${javaScript}`;
  const start = `app/start-${javaScript}.py`;
  const remote = createRemote(name);
  const here = `/repos/${encodeURIComponent(name)}`;

  formJourney(
    "a repository is mirrored, read, annotated and synced; a detached note gets a new file; files are imported",
    javaScript,
    async ({ page }) => {
      remote.commit({ "README.md": "# Tools\n", "src/engine.py": ENGINE }, "Begin with an engine");
      await signIn(page, "Local administrator");
      await page.goto("/repos");
      await page.getByLabel("Repository URL").fill(remote.url);
      await page.getByRole("button", { name: "Add mirror" }).click();
      await page.waitForURL(`**${here}`);
      // The page reloads by itself until the sync has ended.
      await page.getByRole("link", { name: "src/" }).click({ timeout: SYNCED_MS });
      await page.getByRole("link", { name: "engine.py" }).click();

      await page.goto(`${page.url()}&L=4-5`);
      await page.getByRole("link", { name: "Add note" }).click();
      await page.getByLabel("Note", { exact: true }).fill("Mind the arguments");
      await page.getByRole("button", { name: "Save note" }).click();
      const note = page.locator(".note", { hasText: "Mind the arguments" });
      await note.getByRole("link", { name: "Lines 4–5" }).waitFor();
      await page.getByRole("link", { name: "History", exact: true }).first().click();
      await page.getByRole("rowheader", { name: "Begin with an engine" }).waitFor();
      await page.goto(`${here}/search`);
      await page.getByLabel("Search file names and contents").fill("START_the");
      await page.getByRole("button", { name: "Search", exact: true }).click();
      await page.getByRole("link", { name: /def start_the_engine/ }).waitFor();

      remote.git("rm", "--quiet", "src/engine.py");
      remote.commit({ [start]: "print('other')\n" }, "Take the engine out");
      expect(await orphans(page.request)).toBe(0);
      await page.goto(here);
      await page.getByRole("button", { name: "Sync now" }).click();
      await expect.poll(() => orphans(page.request), { timeout: SYNCED_MS }).toBe(1);
      await page.goto(here);
      await page.getByRole("link", { name: /^Detached notes/ }).click();
      await page.getByRole("heading", { name: /src\/engine\.py/ }).waitFor();
      await note.waitFor();
      await page.getByLabel("Attach to file").fill(start);
      await page.getByRole("button", { name: "Attach", exact: true }).click();
      await page.getByText(/Attached 1 note to .*start-/).waitFor();
      await page.locator("summary", { hasText: "1 detached note" }).click();
      await note.waitFor();
      expect(await orphans(page.request)).toBe(0);

      await page.goto(`${here}/import`);
      await page.getByRole("heading", { name: "2 files to import" }).waitFor();
      await page.getByRole("button", { name: "Import 2 files" }).click();
      await page.getByText("Imported: 2 new").waitFor({ timeout: SYNCED_MS });
      await page.getByRole("link", { name: "View in library" }).click();
      await page.getByRole("link", { name: `start-${javaScript}.py`, exact: true }).waitFor();

      await page.goto("/repos");
      const row = page.getByRole("listitem").filter({ hasText: name });
      await row.locator("summary", { hasText: "Remove mirror" }).click();
      await row.getByText("1 note will be detached").waitFor();
      await row.getByRole("button", { name: "Remove mirror" }).click();
      await page.getByRole("heading", { name: "Removed mirrors with notes" }).waitFor();
      await page.getByRole("link", { name, exact: true }).click();
      await note.waitFor();
    },
    { timeoutMs: 180_000 },
  );

  type Asker = { get(path: string): Promise<{ json(): Promise<{ count: number }> }> };
  const orphans = async (request: Asker) =>
    (await (await request.get(`/api/sticky-notes/repo-orphans/${encodeURIComponent(name)}`)).json()).count;
}
