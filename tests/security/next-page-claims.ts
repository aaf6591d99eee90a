import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { MAKERS, type Names } from "#tests/authorisation/belongings.ts";
import { drawInEveryRun, isFullRun } from "#tests/support/test-runs/tier.ts";
import { signed } from "#tests/support/web.ts";
import type { Scene } from "./scene.ts";

/** Next pages that could leave this site, run a script, or add a header. */
const NAUGHTY = [
  ...["//evil.example", "///evil.example", "////evil.example", "https://evil.example", "http:evil.example"],
  ...["https:/evil.example", "HTTPS://evil.example", "\\\\evil.example", "/\\evil.example"],
  ...["/\\/evil.example", "\\/evil.example", "/\t/evil.example", "/\n/evil.example", "\t//evil.example"],
  ...[" //evil.example", "/%09/evil.example", "/.//evil.example", "/..//evil.example"],
  ...["/a/..//evil.example", "/%2e%2e//evil.example", "//evil.example/%2f..", "/\u0000/evil.example"],
  ...["//evil.example\\@OWN", "https://OWN@evil.example", "//OWN.evil.example", "javascript:alert(1)"],
  ...["JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)"],
  ...["/a\r\nSet-Cookie: x=y", "/a\r\n\r\n<script>", "/a%0d%0aSet-Cookie:%20x=y", "/\u2028/evil.example"],
  ...["//evil\u3002example", "／／evil.example", "?next=//evil.example", "evil.example", ""],
];

type Door = { path: string; init: RequestInit };
const sent = (path: string, fields: Record<string, string>): Door => ({
  path,
  init: { method: "POST", body: new URLSearchParams(fields), headers: { "Sec-Fetch-Site": "same-origin" } },
});
const toReferer = (next: string) => (/[^\x20-\x7e]/.test(next) ? encodeURI(next) : next);

/** Every place that accepts a next page, by a field, a parameter or the referer. */
const DOORS: Record<
  string,
  { needs?: keyof typeof MAKERS; door: (next: string, names: Names, now: Date) => Door }
> = {
  "routes/login/route.tsx": {
    door: (next) => ({ path: `/login?next=${encodeURIComponent(next)}`, init: {} }),
  },
  // A sign-in that did not begin in this browser is redirected to the login with the next page.
  "web/session/authenticator.server.ts": {
    door: (next) => ({ path: `/login?next=${encodeURIComponent(next)}`, init: {} }),
  },
  "routes/auth.messenger.tsx": {
    door: (next, _, now) => {
      const fields = { id: "4001", first_name: "D", auth_date: Math.floor(now.getTime() / 1000) };
      const body = JSON.stringify(signed(fields));
      const headers = { "Content-Type": "application/json" };
      return {
        path: `/auth/messenger?next=${encodeURIComponent(next)}`,
        init: { method: "POST", body, headers },
      };
    },
  },
  // A refused passkey is redirected to the login with the next page.
  "routes/auth.passkey/route.tsx": {
    door: (next) => ({ path: `/login?next=${encodeURIComponent(next)}`, init: {} }),
  },
  "routes/auth.oidc.tsx": {
    door: (next) => ({ path: `/auth/oidc?next=${encodeURIComponent(next)}`, init: {} }),
  },
  "routes/preferences/route.tsx": { door: (next) => sent("/preferences", { theme: "dark", next }) },
  "routes/reminders/form.server.ts": {
    door: (next) => sent("/reminders", { intent: "done", note_id: "0".repeat(24), next }),
  },
  // These pass the page on to the form that sets the reminder.
  "routes/reminders_.$note_id.tsx": {
    door: (next) => sent("/reminders", { intent: "done", note_id: "0".repeat(24), next }),
  },
  "routes/file.$id_.reminder.tsx": {
    door: (next) => sent("/reminders", { intent: "set:1h", file: "0".repeat(24), next }),
  },
  "routes/files_.actions/verbs.server.ts": {
    door: (next) => sent("/files/actions", { intent: `trash:${"0".repeat(24)}`, next }),
  },
  "routes/note.$id/form.server.ts": {
    needs: "note",
    door: (next, { id }) => sent(`/note/${id}`, { intent: "pin", next }),
  },
  "routes/repos/form.server.ts": {
    needs: "repo",
    door: (next, { name }) =>
      sent("/repos", { intent: "sync", repo_name: decodeURIComponent(required(name)), next }),
  },
  "web/door/referer.ts": {
    door: (next) => {
      const { path, init } = sent("/preferences", { theme: "dark" });
      return { path, init: { ...init, headers: { ...init.headers, Referer: toReferer(next) } } };
    },
  },
};

const [FIRST] = Object.keys(DOORS);
const ROOM = join(PROJECT_ROOT, "app");
const isSource = (name: string) => /\.tsx?$/.test(name);
const choosing = readdirSync(ROOM, { recursive: true, encoding: "utf8" }).filter(
  (name) =>
    isSource(name) &&
    readFileSync(join(ROOM, name), "utf8").match(/\b(sameSitePath|pathAfterSignIn|readPageBefore)\(/),
);

export function nextPageClaims({ web, owner, ask }: Scene): void {
  const OWN = new URL(web.url).host;

  describe("the next page", () => {
    it("is read in these places and no others", () => {
      expect(choosing.sort()).toEqual(Object.keys(DOORS).sort());
    });

    it.each(Object.entries(DOORS))("is one of ours, whatever %s receives", async (name, { needs, door }) => {
      const names = await MAKERS[needs ?? "nothing"](owner, web);
      // Every run tries all values on the first; all use the same rule.
      const count = name === FIRST ? NAUGHTY.length : isFullRun ? 12 : 4;
      const values = drawInEveryRun(`next pages of ${name}`, NAUGHTY, count);
      for (const next of values.map((form) => form.replaceAll("OWN", OWN))) {
        const { path, init } = door(next, names, web.clock());
        const isHeader = new Headers(init.headers).has("Referer");
        if (isHeader && /[\r\n\0]/.test(next)) continue;
        const response = await ask.owner(path, { ...init, html: true });
        await response.arrayBuffer();
        expect(response.status, JSON.stringify(next)).toBeOneOf([200, 302, 303]);
        const location = response.headers.get("Location") ?? "/";
        expect(location, JSON.stringify(next)).toMatch(/^\/(?![/\\])[^\\\p{Cc}]*$/u);
        expect(new URL(location, web.url).host, JSON.stringify(next)).toBe(OWN);
        expect(response.headers.getSetCookie().join("; "), JSON.stringify(next)).not.toContain("x=y");
      }
    });

    it.each(Object.entries(DOORS))("is opened if %s names one of ours", async (name, { needs, door }) => {
      const names = await MAKERS[needs ?? "nothing"](owner, web);
      const { path, init } = door(
        `${name === "web/door/referer.ts" ? web.url : ""}/trash?one=two`,
        names,
        web.clock(),
      );
      const response = await ask.owner(path, { ...init, html: true });
      await response.arrayBuffer();
      expect(response.headers.get("Location")).toMatch(/^\/trash\?one=two/);
    });
  });
}
