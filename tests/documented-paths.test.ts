import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const PAGES = globSync(["*.md", "bench/README.md", "docs/*.md"], { cwd: PROJECT_ROOT });
const PATH = /`((?:app|bench|db|docs|domain|platform|public|tests|worker)\/[\w./$-]+)`/g;
/** A benchmark run writes it. */
const WRITTEN = "bench/last.json";

it.each(PAGES)("every file that %s names exists", (page) => {
  const text = readFileSync(join(PROJECT_ROOT, page), "utf8");
  const paths = [...text.matchAll(PATH)].map(([, path = ""]) => path);
  const missing = paths.filter((path) => path !== WRITTEN && !existsSync(join(PROJECT_ROOT, path)));
  expect(missing).toEqual([]);
});

it.each(globSync("docs/decisions/*.md", { cwd: PROJECT_ROOT }))(
  "%s says whether it is still valid",
  (page) => {
    expect(readFileSync(join(PROJECT_ROOT, page), "utf8")).toMatch(
      /^# .*\n\n\*\*Status\.\*\* (Accepted|Replaced)/,
    );
  },
);

it("the tour names files", () => {
  const tour = readFileSync(join(PROJECT_ROOT, "docs/internals.md"), "utf8");
  expect([...tour.matchAll(PATH)].length).toBeGreaterThan(30);
});
