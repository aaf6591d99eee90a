import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { differsFromMain } from "#tests/support/test-runs/changes.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const AUTHOR = ["-c", "user.name=Dana", "-c", "user.email=dana@example.org", "-c", "commit.gpgsign=false"];

const git = (root: string, ...words: string[]) =>
  execFileSync("git", [...AUTHOR, ...words], { cwd: root, stdio: "pipe" });

function write(root: string, path: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), `${Math.random()}`);
}

function commit(root: string, path: string): void {
  write(root, path);
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", path);
}

/** A clone at the main branch of another repository, which has gone on since. */
async function givenClone(): Promise<string> {
  const origin = await temporaryDirectory("origin");
  const clone = await temporaryDirectory("clone");
  git(origin, "init", "--quiet", "--initial-branch=trunk");
  commit(origin, "db/engine/main.ts");
  git(origin, "clone", "--quiet", origin, clone);
  commit(origin, "db/engine/main.ts");
  git(clone, "fetch", "--quiet");
  return clone;
}

it.each<[string, boolean, (root: string) => void]>([
  ["nothing changed here", false, () => {}],
  ["another folder changed", false, (root) => commit(root, "db/client.ts")],
  ["a file is changed", true, (root) => write(root, "db/engine/main.ts")],
  ["a file is new", true, (root) => write(root, "db/engine/wire.ts")],
  ["a commit changed a file", true, (root) => commit(root, "db/engine/main.ts")],
])("the engine differs from the main branch where %s: %s", async (_, differs, change) => {
  const clone = await givenClone();

  change(clone);

  expect(differsFromMain("db/engine", clone)).toBe(differs);
});

it("a repository without a remote is compared with its branch main", async () => {
  const root = await temporaryDirectory("alone");
  git(root, "init", "--quiet", "--initial-branch=main");
  commit(root, "db/engine/main.ts");
  git(root, "switch", "--quiet", "--create", "work");
  expect(differsFromMain("db/engine", root)).toBe(false);

  commit(root, "db/engine/main.ts");

  expect(differsFromMain("db/engine", root)).toBe(true);
});

it.each<[string, (root: string) => void]>([
  ["no repository", () => {}],
  ["no main branch", (root) => git(root, "init", "--quiet", "--initial-branch=work")],
])("nothing differs where there is %s", async (_, prepare) => {
  const root = await temporaryDirectory("nothing");
  prepare(root);
  write(root, "db/engine/main.ts");

  expect(differsFromMain("db/engine", root)).toBe(false);
});
