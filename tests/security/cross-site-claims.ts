import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import type { Asking } from "#tests/authorisation/callers.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { drawInEveryRun, isFullRun } from "#tests/support/test-runs/tier.ts";
import type { Scene } from "./scene.ts";

const ELSEWHERE = "https://elsewhere.example";

type Sent = Record<string, string>;

/** A browser's headers about the origin of a request. */
const refused = (OWN: string, insecure: string): Record<string, Sent> => ({
  "another site, as browsers say it": { "Sec-Fetch-Site": "cross-site", Origin: ELSEWHERE },
  "another site that names no origin": { "Sec-Fetch-Site": "cross-site" },
  "a sibling of this host": { "Sec-Fetch-Site": "same-site", Origin: OWN },
  "another site with our address as its referer": { "Sec-Fetch-Site": "cross-site", Referer: `${OWN}/files` },
  "an older browser on another site": { Origin: ELSEWHERE },
  "an older browser in a sandboxed frame": { Origin: "null" },
  "the same host by http": { Origin: insecure },
  "another port of this host": { Origin: `${OWN.replace(/:\d+$/, "")}:1` },
  "a host that begins like ours": { Origin: `${OWN}.elsewhere.example` },
  "our origin with a path": { Origin: `${OWN}/` },
  "a word that no browser says": { "Sec-Fetch-Site": "Same-Origin" },
});
const letIn = (OWN: string): Record<string, Sent> => ({
  "a page of ours": { "Sec-Fetch-Site": "same-origin", Origin: OWN },
  "the address bar": { "Sec-Fetch-Site": "none" },
  "an older browser on a page of ours": { Origin: OWN, Referer: `${OWN}/files` },
  "a script without a browser": {},
  // An attacking page omits the referer, so a foreign one proves nothing either way.
  "a script that names a referer": { Referer: `${ELSEWHERE}/` },
});

const WRITING = [...API_ENTRIES, ...PAGE_ENTRIES].filter(({ call }) => !call.startsWith("GET"));

const coming =
  (asking: Asking, sent: Sent): Asking =>
  (path, init) =>
    asking(path, { ...init, headers: sent });

const KEPT = [
  ...["files", "notes", "boards", "reminders", "shares", "repos", "users", "tokens", "feeds"],
] as const;

export function crossSiteClaims({ web, made, open, entitled }: Scene): void {
  const OWN = web.url.replace("http:", "https:");
  const everything = async () => {
    const all = KEPT.map((name) => (web.db[name] as typeof web.db.files).find({}).sort({ _id: 1 }).toArray());
    return JSON.stringify(await Promise.all(all));
  };

  describe("a request that changes something", () => {
    it("is refused to other sites, whatever it would change", async () => {
      for (const row of WRITING) await made(row);
      const before = await everything();
      const sources = Object.entries(refused(OWN, web.url));
      for (const row of WRITING) {
        // Every run tries the first row from all sources; the refusal is decided before the row is known.
        const count = row === WRITING[0] ? sources.length : isFullRun ? 4 : 2;
        for (const [from, sent] of drawInEveryRun(`sites that ask ${row.call}`, sources, count)) {
          const response = await callRow(coming(entitled(row), sent), row, await made(row), false);
          const claim = `${row.call} from ${from}`;
          expect(response.status, claim).toBe(403);
          expect(await response.json(), claim).toMatchObject({ error: "cross_site_request" });
          expect(response.headers.getSetCookie(), claim).toEqual([]);
        }
      }
      expect(await everything()).toBe(before);
    });

    it.each(Object.entries(letIn(OWN)))("is accepted when it comes from %s", async (_, sent) => {
      const row = required(API_ENTRIES.find(({ call }) => call === "POST /api/favorite/toggle/:file_id"));
      const response = await open(row, coming(entitled(row), sent));
      expect(response.status).toBe(200);
    });
  });
}
