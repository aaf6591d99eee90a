import { describe, expect, it } from "vitest";
import { isOrphaned, likelyPaths, type MirroredTree } from "#domain/notes/orphans.ts";

const trees: [name: string, tree: MirroredTree, path: string, orphaned: boolean | null][] = [
  ["has its file", { state: "read", paths: new Set(["a.ts"]) }, "a.ts", false],
  ["lacks its file", { state: "read", paths: new Set(["b.ts"]) }, "a.ts", true],
  ["has another case of its name", { state: "read", paths: new Set(["A.ts"]) }, "a.ts", true],
  ["has no file at all", { state: "read", paths: new Set() }, "a.ts", true],
  ["is not mirrored", { state: "absent" }, "a.ts", true],
  ["cannot be read", { state: "unreadable" }, "a.ts", null],
];

describe("a note in a repository", () => {
  it.each(trees)("whose copy %s", (_, tree, path, orphaned) => {
    expect(isOrphaned(tree, path)).toBe(orphaned);
  });
});

describe("the file of an orphan may be", () => {
  it("where a sync saw it go, then under its name in the most similar folder", () => {
    const namesakes = ["x/main.py", "src/old/main.py", "src/main.py"];
    expect(likelyPaths("src/lib/main.py", "app/start.py", namesakes)).toEqual([
      "app/start.py",
      "src/main.py",
      "src/old/main.py",
      "x/main.py",
    ]);
  });

  it("in a similar folder sooner than in one that comes first by name", () => {
    expect(likelyPaths("src/main.py", null, ["a/main.py", "src/b/main.py"])).toEqual([
      "src/b/main.py",
      "a/main.py",
    ]);
  });

  it("in five places at most, each once, and never where it is not", () => {
    const namesakes = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "lost/x"];
    expect(likelyPaths("lost/x", "c/x", namesakes)).toEqual(["c/x", "a/x", "b/x", "d/x", "e/x"]);
  });
});
