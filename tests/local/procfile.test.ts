import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseProcfile } from "#db/local/processes/procfile.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";

it("reads the project's own processes in their order", () => {
  const entries = parseProcfile(readFileSync(join(PROJECT_ROOT, "Procfile"), "utf8"));

  expect([...entries.keys()]).toEqual(["release", "web", "worker"]);
});

it("ignores comments and empty lines and keeps colons in commands", () => {
  expect([...parseProcfile("# the product\n\nweb:  node a.ts --at http://x:1  \n")]).toEqual([
    ["web", "node a.ts --at http://x:1"],
  ]);
});

it("names the line it does not understand", () => {
  expect(() => parseProcfile("web: node a.ts\nworker node b.ts\n")).toThrow(
    'Procfile, line 2: expected "name: command".',
  );
});
