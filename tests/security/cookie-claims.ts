import { beforeAll, describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import type { Asking } from "#tests/authorisation/callers.ts";
import { PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { signed } from "#tests/support/web.ts";
import { cookieFaults } from "./observatory.ts";
import type { Scene } from "./scene.ts";

const set: string[] = [];
const noting =
  (asking: Asking): Asking =>
  async (path, init) => {
    const response = await asking(path, init);
    set.push(...response.headers.getSetCookie());
    await response.arrayBuffer();
    return response;
  };
const form = (fields: Record<string, string>) => ({
  method: "POST",
  html: true,
  body: new URLSearchParams(fields),
  headers: { "Sec-Fetch-Site": "same-origin" },
});

// Forms that end the other callers' sessions are tested last, elsewhere.
const isForm = ({ call }: { call: string }) =>
  call.startsWith("POST") && !["POST /logout", "POST /settings/sessions"].includes(call);

/** Everything that sets a cookie: a login and a log-out, choices, one-time messages, a share with a password, every form. */
async function walk({ web, ask, open, entitled }: Scene): Promise<void> {
  const visitor = web.visitor();
  const step = noting((path, init) => visitor.ask(path, init));
  await step("/preferences", form({ theme: "dark" }));
  await step("/preferences", form({ locale: "he" }));
  const fields = { id: "7000", first_name: "D", auth_date: Math.floor(web.clock().getTime() / 1000) };
  const headers = { "Content-Type": "application/json" };
  await step("/auth/messenger", { method: "POST", body: JSON.stringify(signed(fields)), headers });
  const saved = await ask.owner("/api/files/with-a-password.py", { method: "PUT", body: "x" });
  const { file_id } = await saved.json();
  const password = "correct horse battery";
  const shared = await ask.owner(`/api/share/${file_id}`, {
    method: "POST",
    body: JSON.stringify({ password }),
  });
  await step(`/share/${(await shared.json()).share_id}`, form({ intent: "open", password }));
  for (const row of PAGE_ENTRIES.filter(isForm)) await open(row, noting(entitled(row)));
  await step("/logout", form({}));
}

const readCookieName = (cookie: string) => itemAt(cookie.split("="), 0).replace(/share-.*/, "share-");

export function cookieClaims(scene: Scene): void {
  const { web } = scene;
  beforeAll(() => walk(scene));

  describe("a cookie that is set over https", () => {
    it("is one of the listed cookies", () => {
      const names = [...new Set(set.map(readCookieName))].sort();
      expect(names).toEqual([
        "__Host-flash",
        "__Host-locale",
        "__Host-session",
        "__Host-theme",
        "__Secure-share-",
      ]);
    });

    it("is this host's alone, secret to scripts, and never sent along by another site", () => {
      expect(set.flatMap(cookieFaults)).toEqual([]);
    });

    it("has a stated lifetime", () => {
      for (const cookie of set) expect(cookie).toMatch(/; Max-Age=\d+(;|$)/);
    });

    it("is read on every page as it was set", async () => {
      const chooser = web.visitor();
      await chooser.ask("/preferences", form({ locale: "he", theme: "dark" }));
      for (const path of ["/", "/login", "/offline"]) {
        const page = await (await chooser.ask(path, { html: true })).text();
        expect(page, path).toMatch(/<html lang="he"[^>]* data-theme="dark"/);
      }
    });

    it("counts only under its own name: without the prefix another site of the domain may have set it", async () => {
      const dana = await web.visitor().logIn("7001");
      expect((await dana.ask("/api/files")).status).toBe(200);
      for (const prefix of ["", "__Secure-"]) {
        const tossed = web.visitor();
        tossed.cookies.set(`${prefix}session`, required(dana.cookies.get("__Host-session")));
        expect((await tossed.ask("/api/files")).status, prefix).toBe(401);
      }
    });
  });
}
