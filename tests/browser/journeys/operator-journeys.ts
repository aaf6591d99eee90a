import { ObjectId } from "mongodb";
import { expect } from "vitest";
import type { Db } from "#db/client.ts";
import { claimRun, closeOrphanedRun, createRun, failRun, recordFailedRun } from "#db/jobs/job-runs.server.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { required } from "#domain/required.ts";
import { formJourney, type JavaScript, signIn, withStore } from "#tests/browser/stage.ts";
import type { WebElements, WebPage } from "#tests/support/forms/web-page.ts";
import { GitFault } from "#worker/mirror/git.ts";

const CLICKS_MAX = 3;

/** A run in progress on a worker that no longer exists. */
async function givenRunning(db: Db, jobId: JobId, payload: Record<string, unknown>) {
  const run = await createRun(db, jobId, "manual", new Date(), { payload });
  return required(await claimRun(db, run, "a worker of before", new Date()));
}

/** Gives an error a stack that names no test file, as a worker's own error has. */
const asInWorker = <Fault extends Error>(fault: Fault): Fault =>
  Object.assign(fault, { stack: `${fault.name}: ${fault.message}` });

/** Failures at night, by the words that report them. */
const FAULTS: Record<string, (db: Db) => Promise<unknown>> = {
  "The worker stopped while this ran": async (db) =>
    closeOrphanedRun(db, await givenRunning(db, "repo_analysis", {}), new Date()),
  "Git is not installed on the server": async (db) =>
    failRun(
      db,
      await givenRunning(db, "repo_sync", { repo_id: new ObjectId().toHexString() }),
      asInWorker(new GitFault("git_missing")),
      new Date(),
    ),
  "No device of the person could be reached": (db) =>
    recordFailedRun(
      db,
      "reminder_push",
      { note_id: new ObjectId().toHexString() },
      "push_given_up",
      new Date(),
    ),
};

/** A web process shows a new announcement within three seconds. */
async function untilShown(page: WebPage, place: WebElements): Promise<void> {
  const look = async () => {
    if (!(await place.isVisible())) await page.goto(page.url());
    return place.isVisible();
  };
  await expect.poll(look, { timeout: 10_000 }).toBe(true);
}

export function operatorJourneys(javaScript: JavaScript): void {
  formJourney(
    "an administrator finds a failed run, reads why and retries it, within three clicks each",
    javaScript,
    async ({ page }) => {
      await withStore(async ({ collections }) => {
        for (const bringAbout of Object.values(FAULTS)) await bringAbout({ ...collections, emit: () => {} });
      });
      await signIn(page, "Local administrator");
      for (const reason of Object.keys(FAULTS)) {
        let clicks = 0;
        const click = (target: WebElements) => {
          clicks += 1;
          return target.click();
        };
        await page.goto("/admin");
        await click(page.getByRole("link", { name: /^Failed job runs/ }));
        const row = page.getByRole("listitem").filter({ hasText: reason });
        await click(row.getByRole("button", { name: "Retry" }));
        await page.getByText("Queued again").waitFor();
        expect(await row.count()).toBe(0);
        expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
      }
    },
  );

  formJourney(
    "an announcement is written, activated, seen and dismissed",
    javaScript,
    async ({ page, drawn, expectError }) => {
      expectError(/status of 400/);
      const words = `We are moving the shelves to another house on Friday (${javaScript})`;
      await signIn(page, "Local administrator", "/admin/announcements");
      await page.getByLabel("Text").first().fill("x".repeat(281));
      await page.getByRole("button", { name: "Add announcement" }).click();
      await page.getByRole("alert").getByText("280 characters").waitFor();
      expect(await page.getByLabel("Text").first().inputValue()).toHaveLength(281);
      await page.getByLabel("Text").first().fill(words);
      await page.getByLabel("Link").first().fill("/files");
      await page.getByRole("button", { name: "Add announcement" }).click();
      const row = page.getByRole("listitem").filter({ hasText: words });
      await row.getByRole("button", { name: "Activate" }).click();

      const banner = page.getByRole("complementary", { name: "Announcement" });
      const link = banner.getByRole("link", { name: words });
      await untilShown(page, link);
      if (drawn) {
        const size = drawn.viewportSize()!;
        await drawn.setViewportSize({ width: 320, height: 640 });
        const text = drawn.locator(".banner > p");
        expect(await text.evaluate((banner) => banner.scrollWidth > banner.clientWidth)).toBe(false);
        await drawn.setViewportSize(size);
      }
      await link.click();
      await page.waitForURL("**/files");
      await untilShown(page, link);
      await banner.getByRole("button", { name: "Dismiss announcement" }).click();
      await banner.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe("/files");

      await page.goto("/admin/announcements");
      expect(await banner.count()).toBe(0);
      await row.getByRole("button", { name: "Deactivate" }).click();
      await row.locator("summary", { hasText: "Delete" }).click();
      await row.getByRole("button", { name: "Delete announcement" }).click();
      await row.waitFor({ state: "detached" });
    },
  );
}
