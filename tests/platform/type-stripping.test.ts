import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";

/** Rooms whose files Node runs from source. The compiler accepts more than Node's parser can strip. */
const ROOMS = ["app", "db", "domain", "platform", "worker"] as const;

function fault(source: string): string | null {
  try {
    stripTypeScriptTypes(source);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("Node can strip the types of", () => {
  it.each(ROOMS)("every file of %s/", (room) => {
    const paths = globSync(`${room}/**/*.ts`, { cwd: PROJECT_ROOT });
    expect(paths.length).toBeGreaterThan(5);

    const faults = paths.map((path) => [path, fault(readFileSync(join(PROJECT_ROOT, path), "utf8"))]);

    expect(faults.filter(([, told]) => told !== null)).toEqual([]);
  });

  it("no file that only the compiler understands", () => {
    expect(fault("const names: string[] = []; for (const of of names) of.trim();")).toBeNull();
    expect(fault("for (const of of [1]) {}")).toContain("cannot be empty");
    expect(fault("enum Colour { Red }")).toContain("enum");
  });
});
