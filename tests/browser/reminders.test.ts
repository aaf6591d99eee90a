/**
 * Reminders as people see them. These journeys move the clock, so they use the web process's app in the test and not the whole product,
 * which uses the machine's clock.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setReminder } from "#db/reminders/reminders.server.ts";
import { FormVisitor } from "#tests/support/forms/form-page.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";
import {
  collectWords,
  findWords,
  privateWords,
  readOperatorTexts,
} from "#tests/support/private-words/private-words.ts";
import { openBrowser } from "#tests/support/product/browser.ts";
import { NOON } from "#tests/support/store.ts";
import { openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
let browser: Browser;
let people = 60;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const minutesFromNoon = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

type Steps<Shown> = (page: Shown, ownerId: string) => Promise<void>;

async function arrive() {
  people += 1;
  web.clock.set(NOON);
  const { cookies } = await web.visitor().logIn(String(people));
  return [...cookies].map(([name, value]) => ({ name, value, url: web.url }));
}

async function walkByForms(steps: Steps<WebPage>): Promise<void> {
  const cookies = await arrive();
  const errors: string[] = [];
  const onError = (error: string) => errors.push(error);
  const visitor = new FormVisitor(web.url, { onSent() {}, onError, onPage() {} });
  for (const { name, value } of cookies) await visitor.jar.setCookie(`${name}=${value}`, web.url);
  await steps(await visitor.newPage(), String(people));
  expect(errors).toEqual([]);
}

async function walk(steps: Steps<Page>): Promise<void> {
  const cookies = await arrive();
  const context = await browser.newContext({
    baseURL: web.url,
    locale: "en",
    timezoneId: "Asia/Jerusalem",
    serviceWorkers: "block",
  });
  context.setDefaultTimeout(10_000);
  await context.addCookies(cookies);
  const errors: string[] = [];
  context.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  try {
    await steps(await context.newPage(), String(people));
    expect(errors).toEqual([]);
  } finally {
    await context.close();
  }
}

describe.each([
  ["in a browser", walk],
  ["by links and forms alone", walkByForms],
] as const)("%s", (_, walkThrough) => {
  it("a reminder is set by a preset, falls due, shows at the bell and is done, and that is undone", () =>
    walkThrough(async (page, owner) => {
      const note = await web.given.note(owner, {
        content: "water the plants on the balcony this evening",
      });

      await page.goto(`/reminders/${note.id}`);
      await page.getByRole("button", { name: /In 1 hour/ }).click();
      await page.getByRole("heading", { name: "Upcoming" }).waitFor();
      await page.getByRole("link", { name: "water the plants on the balcony…" }).waitFor();
      expect(await page.locator(".badge").isVisible()).toBe(false);

      web.clock.set(minutesFromNoon(61));
      await page.goto("/dashboard");
      await page.getByRole("link", { name: "Reminders: 1 due" }).waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("status").getByText("Done").waitFor();
      expect(await page.locator(".badge").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "Reminders: 1 due" }).waitFor();
    }));

  it("a due reminder is postponed to the time on its button", () =>
    walkThrough(async (page, owner) => {
      await web.db.users.updateOne({ _id: owner }, { $set: { timezone: "Asia/Jerusalem" } });
      const note = await web.given.note(owner, { content: "call the bank" });
      await setReminder(web.db, owner, note, minutesFromNoon(-30), NOON);

      await page.goto("/reminders");
      await page.getByRole("button", { name: "in 10 minutes" }).waitFor();
      await page.getByRole("button", { name: "tomorrow 09:00" }).click();

      await page.getByText("Reminder set for tomorrow 09:00").waitFor();
      await page.getByText("No reminders due.").waitFor();
      expect((await web.db.reminders.findOne({ user_id: owner }))!.remind_at).toEqual(
        new Date("2037-11-15T07:00:00.000Z"),
      );
    }));
});

describe("what JavaScript adds", () => {
  it("the bell rings on an open page when a reminder falls due", () =>
    walk(async (page, owner) => {
      const note = await web.given.note(owner, { content: "stretch" });
      await setReminder(web.db, owner, note, minutesFromNoon(10), NOON);
      await page.clock.install();
      const awaitSummary = () =>
        page.waitForResponse((response) => response.url().endsWith("/api/sticky-notes/reminders/summary"));
      const first = awaitSummary();
      await page.goto("/files");
      expect(await (await first).json()).toMatchObject({ count_due: 0, next_in_seconds: 600 });

      web.clock.set(minutesFromNoon(11));
      const second = awaitSummary();
      await page.clock.runFor(600_000);
      await second;

      await page.getByRole("link", { name: "Reminders: 1 due" }).waitFor();
      expect(await page.locator(".badge").textContent()).toBe("1");
    }));

  it("the device's time zone is stored for a person who has chosen none", () =>
    walk(async (page, owner) => {
      const preferencesSaved = page.waitForResponse((response) => response.url().endsWith("/preferences"));
      await page.goto("/reminders");
      await preferencesSaved;
      await page.goto("/reminders");

      await page.getByText("Time zone:").filter({ hasText: "Asia/Jerusalem" }).waitFor();
      expect((await web.db.users.findOne({ _id: owner }))!.timezone).toBe("Asia/Jerusalem");
    }));
});

it("administrators see nothing from these journeys", async () => {
  await web.emitter.flush();
  const words = privateWords(await collectWords(web.mongo.collections));
  expect(words.length).toBeGreaterThan(1);
  const places = {
    ...(await readOperatorTexts(web.mongo.collections)),
    log: [...web.log, ...web.emitted].join(""),
    metrics: await web.metrics.text(),
  };
  expect(findWords(`${places.log} ${words[0]}`, words)).toHaveLength(1);
  for (const [place, text] of Object.entries(places)) expect(findWords(text, words), place).toEqual([]);
});
