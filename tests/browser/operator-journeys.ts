import { expect } from "vitest";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import { createRequestTimings } from "#db/events/request-timings.server.ts";
import { ensureIndexes } from "#db/index-builds.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import { type JavaScript, journey, signIn, withStore } from "./stage.ts";

export function operatorJourneys(javaScript: JavaScript): void {
  journey(
    "an operator finds an alert, mends its cause and builds what is missing",
    javaScript,
    async ({ page }) => {
      const summary = `Job trash_check failed, script ${javaScript}`;
      await withStore(async ({ collections, collection }) => {
        const metadata = { job_id: "trash_check" };
        const alarm = {
          rule: "job_failed",
          subject: javaScript,
          severity: "error",
          summary,
          metadata,
        } as const;
        await raiseAlert({ ...collections, emit: () => {} }, alarm, new Date());
        const timings = createRequestTimings({ collections, log: silentLog, clock: systemClock });
        for (const route of ["/once", "/twice", "/twice"]) timings.record("GET", route, 200, 9_000);
        await timings.close();
        await ensureIndexes(collection);
        await collection("events").dropIndex("by_severity");
        await collection("file_bodies").dropIndex("bin_expiry");
      });
      await signIn(page, "Local administrator");
      await page.goto("/admin");
      await page.getByRole("link", { name: /^Active alerts/ }).waitFor();
      await page
        .getByRole("main")
        .getByRole("link", { name: /^Observability/ })
        .click();
      await page.getByRole("link", { name: "7 days" }).click();
      await page.waitForURL("**timerange=7d**");
      await page.getByLabel("Severity").selectOption("error");
      await page.getByLabel("Search alerts").fill(`script ${javaScript}`);
      await page.getByRole("button", { name: "Filter" }).click();
      const row = page.getByRole("listitem").filter({ hasText: /Check the trash.{1,3}failed/ });
      expect(await page.locator(".alert-row").count()).toBe(1);
      await row.getByRole("button", { name: "Run job again" }).click();
      await page.getByText("Job queued again").waitFor();
      await row.getByRole("button", { name: "Run job again (used 1×)" }).waitFor();

      await page.getByRole("link", { name: "Requests", exact: true }).click();
      await page.waitForURL("**sort=-count**");
      const counts = await page.locator("#slow tbody tr td:nth-child(2)").allTextContents();
      expect(counts.map(Number)).toEqual(counts.map(Number).toSorted((a, b) => b - a));

      await page.goto("/trash");
      await page.getByText("not being deleted right now").waitFor();
      await page.goto("/admin/verify-indexes");
      await page.getByText("2 indexes missing or different").waitFor();
      await page.getByRole("button", { name: "Build missing indexes" }).click();
      await page.getByText("2 indexes built").waitFor();
      await page.goto("/trash");
      expect(await page.getByText("not being deleted right now").count()).toBe(0);
    },
  );
}
