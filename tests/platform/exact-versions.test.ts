import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];

it.each(["package.json", "db/local/programs/package.json"])(
  "%s names each package in one exact version",
  (path) => {
    const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, path), "utf8"));
    const versions = KINDS.flatMap((kind) => Object.entries<string>(manifest[kind] ?? {}));

    expect(versions).not.toEqual([]);
    expect(
      versions.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    ).toEqual([]);
  },
);
