import type { Page } from "playwright";
import { expect } from "vitest";
import { detailJourney, journey, signIn } from "#tests/browser/stage.ts";

const thisDevice = (page: Page) => page.getByRole("region", { name: "This device" });

export function deviceEnhancements(): void {
  detailJourney(
    "only a click asks this browser for permission, and a refusal is explained",
    async ({ page }) => {
      await page.addInitScript(() => {
        const counted = Object.assign(window, { asked: 0 });
        Notification.requestPermission = async () => {
          counted.asked += 1;
          return "denied";
        };
        Object.defineProperty(Notification, "permission", {
          get: () => (counted.asked > 0 ? "denied" : "default"),
        });
      });
      await signIn(page, "Local administrator", "/settings/devices");
      const here = thisDevice(page);
      await here.getByText("Notifications are off in this browser.").waitFor();
      expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0);
      expect(await here.getByRole("button", { name: "Turn off" }).isVisible()).toBe(false);

      await here.getByRole("button", { name: "Turn on notifications" }).click();
      await here.getByText(/This browser blocks notifications/).waitFor();
      expect(await here.getByRole("button").count()).toBe(0);
    },
  );

  detailJourney(
    "a browser without notifications and a tab on an iPhone say what to do instead",
    async ({ page }) => {
      await page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
      await signIn(page, "Local administrator", "/settings/devices");
      await thisDevice(page).getByText("This browser doesn’t support notifications.").waitFor();

      const iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1";
      await page.addInitScript(
        (userAgent) => Object.defineProperty(navigator, "userAgent", { get: () => userAgent }),
        iPhone,
      );
      await page.reload();
      await thisDevice(page)
        .getByText(/Add to Home Screen/)
        .waitFor();
    },
  );

  journey(
    "the service worker shows a reminder, and a click opens it, acknowledges it and reports each step",
    async ({ page }) => {
      const worker = page.context().waitForEvent("serviceworker");
      await signIn(page, "Local administrator", "/settings/devices");
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      const message = {
        notification: { title: "Reminder", body: "Water the plants", tag: "reminder-1", actions: [] },
        data: { type: "note_reminder", note_id: "a".repeat(24), remind_at: "2037-11-14T12:00:00.000+00:00" },
      };
      const shown = await (await worker).evaluate(async (payload) => {
        const scope = self as unknown as {
          fetch: typeof fetch;
          registration: { showNotification(title: string, options: { tag: string }): Promise<void> };
          clients: { openWindow(url: string): Promise<null> };
          dispatchEvent(event: Event): boolean;
        };
        const calls: [string, unknown][] = [];
        const opened: string[] = [];
        const shown: { title: string; tag: string; close(): void }[] = [];
        // A headless browser cannot show notifications.
        scope.registration.showNotification = async (title, options) => {
          shown.push({ title, ...options, close: () => {} });
        };
        scope.fetch = async (path, init) => {
          calls.push([String(path), JSON.parse(String(init?.body))]);
          return new Response("{}");
        };
        scope.clients.openWindow = async (url) => {
          opened.push(new URL(url).pathname);
          return null;
        };
        const waited = async (event: Event) => {
          const waits: Promise<unknown>[] = [];
          Object.assign(event, { waitUntil: (work: Promise<unknown>) => waits.push(work) });
          scope.dispatchEvent(event);
          await Promise.all(waits);
        };
        await waited(Object.assign(new Event("push"), { data: { json: () => payload } }));
        const [notification] = shown;
        const { title, tag } = notification!;
        const click = (action: string) =>
          waited(Object.assign(new Event("notificationclick"), { action, notification }));
        await click("snooze_10");
        const snoozed = calls.splice(0);
        await click("");
        return { title, tag, snoozed, calls, opened };
      }, message);

      const { note_id, remind_at } = message.data;
      expect(shown).toMatchObject({ title: "Reminder", tag: "reminder-1", opened: [`/note/${note_id}`] });
      expect(shown.snoozed).toEqual([
        ["/api/push/sw-report", { step: "shown" }],
        [`/api/sticky-notes/note/${note_id}/snooze`, { minutes: 10 }],
        ["/api/push/sw-report", { step: "snoozed", status: 200 }],
      ]);
      expect(shown.calls).toContainEqual(["/api/sticky-notes/reminders/ack", { note_id, remind_at }]);
      expect(shown.calls).toContainEqual(["/api/push/sw-report", { step: "acknowledged", status: 200 }]);
      expect(shown.calls).toContainEqual(["/api/push/sw-report", { step: "opened" }]);
      expect(shown.calls.some(([path]) => path.endsWith("/snooze"))).toBe(false);
    },
    { serviceWorkers: "allow" },
  );
}
