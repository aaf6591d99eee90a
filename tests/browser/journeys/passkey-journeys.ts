import { expect } from "vitest";
import { detailJourney, productUrl, signInAs } from "#tests/browser/stage.ts";

/** Passkeys need a host name, and this machine has `localhost`. */
const toNamed = (path: string) => `http://localhost:${new URL(productUrl()).port}${path}`;

export function passkeyJourneys(): void {
  detailJourney(
    "a passkey is added, logs in by the button and by the field, and is removed",
    async ({ page, expectError }) => {
      const device = await page.context().newCDPSession(page);
      await device.send("WebAuthn.enable", { enableUI: false });
      await device.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      // A virtual authenticator chooses at once when a field offers passkeys; on one page no field offers them.
      await page.addInitScript(() => {
        if (location.search.startsWith("?next="))
          PublicKeyCredential.isConditionalMediationAvailable = async () => false;
      });
      await signInAs(page, "651", "Tamar", toNamed(""));
      await page.goto(toNamed("/settings/sign-in"));
      await page.getByLabel("Passkey name").fill("Work laptop");
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByRole("status").getByText("Login method added").waitFor();
      await page.getByText("Work laptop").waitFor();

      // The previous page may ask for reminders after the session ended.
      expectError(/status of 401/);
      await page.waitForLoadState();
      await page.goto(toNamed("/logout"));
      await page.goto(toNamed("/login?next=/trash"));
      await page.getByRole("button", { name: "Log in with a passkey" }).click();
      await page.waitForURL(({ pathname }) => pathname === "/trash");

      await page.waitForLoadState();
      await page.goto(toNamed("/logout"));
      await page.goto(toNamed("/login"));
      await page.waitForURL("**/dashboard");

      await page.goto(toNamed("/settings/sign-in"));
      await page.getByRole("button", { name: /Remove: .*Passkey/ }).click();
      await page.getByRole("status").getByText("Login method removed").waitFor();
      expect(await page.getByText("Work laptop").count()).toBe(0);
    },
  );
}
