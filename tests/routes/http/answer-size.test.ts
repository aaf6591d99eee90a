import { expect, it } from "vitest";
import { givenRepo } from "#tests/support/repos/given-repo.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { ADMIN_ID, openTestWeb } from "#tests/support/web.ts";

const web = await openTestWeb();
const admin = await web.person(ADMIN_ID);
await givenRepo(web.db, ADMIN_ID, "dana/tools", { "src/main.py": "x = 1\n" });
for (const name of ["a.py", "b.md", "c.txt"]) await admin.saveFile(name);

/** Nearly the longest request line. */
const LENGTH = 14_000;
const UNITS = ["-a ", "lang:py ", "tag:a ", "path:a/ ", "in:notes ", "a/", '"', "א"];
/** How often a page may repeat its input, escaped for HTML and for addresses. */
const REPEATS_MAX = 40;

const REPO = "/repos/dana%2Ftools";
const PAGES = [
  "/search?q=",
  "/search?tag=",
  "/search?lang=",
  "/search?q=a&in=",
  "/search?q=a&cursor=",
  "/go?q=",
  "/files?q=",
  "/files?lang=",
  "/files?category=",
  "/files?repo=",
  "/files?folder=",
  "/files?cursor=",
  "/notes?q=",
  "/trash?cursor=",
  "/boards?move=",
  "/login?next=/",
  "/upload?folder=",
  "/tools/code?file=",
  `${REPO}?path=`,
  `${REPO}/search?q=`,
  `${REPO}/history?path=`,
  `${REPO}/import?path=`,
  "/admin/users?q=",
  "/admin/jobs?job_id=",
  "/admin/observability?search=",
  "/admin/observability?explain=",
];

it.each(PAGES)(
  "a page with an excessive parameter at %s repeats it a bounded number of times",
  async (address) => {
    const usual = (await admin.read(`${address}a`)).length;
    for (const unit of drawCases(`units at ${address}`, UNITS, 3)) {
      const sent = encodeURIComponent(unit.repeat(LENGTH / unit.length)).slice(0, LENGTH);
      const { html, status } = await admin.show(address + sent.replace(/%[0-9A-F]?$/, ""));
      expect(status, unit).toBeLessThan(500);
      expect(html.length - usual, unit).toBeLessThan(REPEATS_MAX * LENGTH);
    }
  },
);
