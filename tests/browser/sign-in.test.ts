/** Signing in to a server that invites its people and has an OpenID Connect provider, which is a separate process. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { FormVisitor } from "#tests/support/forms/form-page.ts";
import type { WebPage } from "#tests/support/forms/web-page.ts";
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

type Cookies = Iterable<readonly [name: string, value: string]>;

async function openInBrowser(cookies: Cookies): Promise<WebPage> {
  const context = await browser.newContext({ baseURL: web.url, locale: "en", serviceWorkers: "block" });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(10_000);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: web.url })));
  return context.newPage();
}

async function openByForms(cookies: Cookies): Promise<WebPage> {
  const visitor = new FormVisitor(web.url, { onSent() {}, onError() {}, onPage() {} });
  for (const [name, value] of cookies) await visitor.jar.setCookie(`${name}=${value}`, web.url);
  return visitor.newPage();
}

describe.each([
  ["in a browser", openInBrowser],
  ["by links and forms alone", openByForms],
] as const)("%s", (way, open) => {
  const openPage = () => open([]);

  async function openAdminPage(): Promise<WebPage> {
    const admin = await web.visitor().logIn(ADMIN_ID);
    const page = await open(admin.cookies);
    await page.goto("/admin/users");
    return page;
  }

  const logIn = (page: WebPage) => page.getByRole("link", { name: /Example ID/ }).click();

  it("an invitation leads to an account by the provider, once, and the provider's session can be ended too", async () => {
    const admin = await openAdminPage();
    await admin.getByRole("button", { name: "New invitation" }).click();
    const link = await admin.getByLabel("Invitation link").inputValue();

    await be(`invited ${way}`);
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
  });

  it("a person without an invitation asks to join, and gets in after an administrator approves", async () => {
    await be(`asking ${way}`);
    const guest = await openPage();
    await guest.goto("/login?next=/files");
    await logIn(guest);
    await guest.getByRole("button", { name: "Ask to join" }).click();
    await guest.getByText("Request sent.").waitFor();

    const admin = await openAdminPage();
    await admin.getByText(`asking ${way}`).waitFor();
    await admin.getByRole("button", { name: /Approve/ }).click();
    await admin.getByText("Approved.").waitFor();

    await guest.goto("/login?next=/files");
    await logIn(guest);
    await guest.waitForURL("**/files");
  });
});
