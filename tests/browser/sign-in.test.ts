/**
 * Coming to a server that invites its people and has a provider, as a person meets it: the provider is a process of its own, and its
 * pages are walked through by Chromium.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "#tests/support/product/browser.ts";
import { openOidcPeer } from "#tests/support/sign-in/oidc-peer.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const peer = await openOidcPeer();
const web = await openTestWeb({
  ...peer.variables,
  SIGN_UP: "invited",
  RATE_LIMIT_WRITES_PER_MINUTE: "1000",
});
let browser: Browser;

beforeAll(async () => {
  await peer.tell({ say: "client", redirectUri: `${web.url}/auth/oidc/callback` });
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const be = (sub: string) => peer.tell({ say: "account", sub, claims: { preferred_username: sub } });

describe.each([
  ["on", true],
  ["off", false],
] as const)("with JavaScript %s", (javaScript, javaScriptEnabled) => {
  async function openPage(): Promise<Page> {
    const context = await browser.newContext({
      baseURL: web.url,
      locale: "en",
      javaScriptEnabled,
      serviceWorkers: "block",
    });
    context.setDefaultTimeout(10_000);
    return context.newPage();
  }

  async function openAdminPage(): Promise<Page> {
    const admin = await web.visitor().logIn(ADMIN_ID);
    const page = await openPage();
    const cookies = [...admin.cookies].map(([name, value]) => ({ name, value, url: web.url }));
    await page.context().addCookies(cookies);
    await page.goto("/admin/users");
    return page;
  }

  const logIn = (page: Page) => page.getByRole("link", { name: /Example ID/ }).click();

  it("an invitation leads to an account by the provider, once, and the provider's session can be ended too", async () => {
    const admin = await openAdminPage();
    await admin.getByRole("button", { name: "New invitation" }).click();
    const link = await admin.getByLabel("Invitation link").inputValue();

    await be(`invited ${javaScript}`);
    const guest = await openPage();
    await guest.goto(link);
    await guest.getByText("You are invited").waitFor();
    await logIn(guest);
    await guest.waitForURL("**/dashboard");
    await guest.goto("/settings/sign-in");
    await guest.getByRole("heading", { name: "Example ID" }).waitFor();
    await guest.getByText("Logged in: Provider").waitFor();

    await guest.goto("/logout");
    await guest.getByRole("link", { name: /Example ID/ }).waitFor();

    const late = await openPage();
    await late.goto(link);
    await late.getByText("This invitation was used or has expired.").waitFor();
    expect(await late.getByText("You are invited").count()).toBe(0);
    for (const page of [admin, guest, late]) await page.context().close();
  });

  it("who comes without an invitation asks to join, and gets in once an administrator approves", async () => {
    await be(`asking ${javaScript}`);
    const guest = await openPage();
    await guest.goto("/login?next=/files");
    await logIn(guest);
    await guest.getByRole("button", { name: "Ask to join" }).click();
    await guest.getByText("Request sent.").waitFor();

    const admin = await openAdminPage();
    await admin.getByText(`asking ${javaScript}`).waitFor();
    await admin.getByRole("button", { name: /Approve/ }).click();
    await admin.getByText("Approved.").waitFor();

    await guest.goto("/login?next=/files");
    await logIn(guest);
    await guest.waitForURL("**/files");
    for (const page of [admin, guest]) await page.context().close();
  });
});
