import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { FOLDER_ORDER, findImportsAgainstOrder, listFolders } from "#tests/support/sources/folder-order.ts";
import {
  ARROWS,
  findCircles,
  importsWithinEngine,
  wrongImports,
} from "#tests/support/sources/import-rules.ts";

const ROOMS = Object.keys(ARROWS).filter((room) => !room.includes("/"));

function readSources(room: string): [path: string, source: string][] {
  return readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name))
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .map((path) => [path, readFileSync(join(PROJECT_ROOT, path), "utf8")]);
}

describe("the house", () => {
  it.each(ROOMS)("has no forbidden import in %s", (room) => {
    const sources = readSources(room);
    expect(sources).not.toEqual([]);

    const wrong = sources.flatMap(([path, source]) => wrongImports(path, source));

    expect(wrong).toEqual([]);
  });

  it.each(["tests", "bench"])("imports of the engine only what it exports: %s", (folder) => {
    const sources = readSources(folder);
    expect(sources).not.toEqual([]);

    expect(sources.flatMap(([path, source]) => importsWithinEngine(path, source))).toEqual([]);
  });

  it("has an engine with the packages of the project, in the same versions", () => {
    const [own, all] = ["db/engine/package.json", "package.json"].map((path) =>
      JSON.parse(readFileSync(join(PROJECT_ROOT, path), "utf8")),
    );

    expect({ ...all.dependencies, ...all.devDependencies }).toMatchObject(own.devDependencies);
  });

  it("has no files that import each other, types included", () => {
    expect(findCircles(new Map(ROOMS.flatMap(readSources)))).toEqual([]);
  });
});

describe.each(Object.entries(FOLDER_ORDER))(
  "the order of the folders of %s",
  (room, { folders, exceptions }) => {
    const sources = readSources(room);

    it("names every folder", () => {
      expect(
        listFolders(
          room,
          sources.map(([path]) => path),
        ),
      ).toEqual([...folders].sort());
    });

    it("holds but for the exceptions, and each exception is needed", () => {
      expect(findImportsAgainstOrder(room, folders, sources)).toEqual(Object.keys(exceptions).sort());
    });
  },
);

it.each([
  ["a type", 'import type { Note } from "#domain/notes/note.ts"', ["files > notes"]],
  ["a relative path", 'export { Note } from "../notes/note.ts"', ["files > notes"]],
  ["nothing that comes before", 'import "#domain/text/text.ts"; import "#domain/refusal.ts"', []],
])("an import against the order is found: %s", (_, source, expected) => {
  const sources: [string, string][] = [
    ["domain/files/file.ts", source],
    ["domain/refusal.ts", source],
  ];

  expect(findImportsAgainstOrder("domain", ["text", "files", "notes"], sources)).toEqual(expected);
});

it.each<[string, Record<string, string>]>([
  ["a type", { "db/a.ts": 'import type { B } from "#db/b.ts"', "db/b.ts": 'import { a } from "./a.ts"' }],
  ["a type in its place", { "db/a.ts": 'let b: import("#db/b.ts").B', "db/b.ts": 'import "#db/a.ts"' }],
  ["an export", { "db/a.ts": 'await import("#db/b.ts")', "db/b.ts": 'export type { A } from "#db/a.ts"' }],
])("a cycle over %s is found", (_, sources) => {
  expect(findCircles(new Map(Object.entries(sources)))).toEqual([["db/a.ts", "db/b.ts"]]);
});

it.each([
  ["domain/a.ts", 'import { log } from "#platform/log.ts"', "domain may not look into platform"],
  ["domain/a.ts", 'import React from "react"', "domain may not use the package react"],
  ["domain/a.ts", 'import { join } from "node:path"', "domain runs in browsers too"],
  ["platform/a.ts", 'export type { Db } from "#db/client.ts"', "platform may not look into db"],
  ["db/a.ts", 'const { Store } = await import("#db/engine/store.ts")', "db may not look into db/engine"],
  ["db/a.ts", 'import { Store } from "./engine/store.ts"', "it leaves db by a relative path"],
  ["db/a.ts", 'import { given } from "#tests/support/given.ts"', "db may not look into tests"],
  ["db/engine/a.ts", 'import { serialize } from "bson"', "db/engine may not use the package bson"],
  ["db/engine/a.ts", 'import { b } from "#db/engine/b.ts"', "db/engine may not look into db/engine"],
  ["db/engine/a.ts", 'import { c } from "./tests/c.ts"', "it leaves db/engine by a relative path"],
  [
    "db/engine/tests/a.ts",
    'import { Db } from "../../client.ts"',
    "it leaves db/engine/tests by a relative path",
  ],
  ["db/engine/tests/a.ts", 'import pg from "pg"', "db/engine/tests may not use the package pg"],
  ["app/a.tsx", 'import { MongoClient } from "mongodb"', "only db uses the driver mongodb"],
  ["worker/a.ts", 'import { page } from "#app/web/page.ts"', "worker may not look into app"],
])("a forbidden import is found in %s: %s", (path, source, reason) => {
  expect(wrongImports(path, source)).toEqual([
    expect.stringMatching(new RegExp(`^${path} imports .*: ${reason}$`)),
  ]);
});

it.each([
  ["#db/engine/storage/store.ts", 1],
  ["#db/engine/main.ts", 0],
])("an import within the engine is found: %s", (specifier, count) => {
  expect(importsWithinEngine("tests/a.ts", `await import("${specifier}")`)).toHaveLength(count);
});
