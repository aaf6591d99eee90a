import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { ARROWS, findCircles, wrongImports } from "#tests/support/sources/import-rules.ts";

const ROOMS = Object.keys(ARROWS).filter((room) => !room.includes("/"));

/** The files of a room by their paths. */
function readSources(room: string): [path: string, source: string][] {
  return readdirSync(join(PROJECT_ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name))
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .map((path) => [path, readFileSync(join(PROJECT_ROOT, path), "utf8")]);
}

describe("the house", () => {
  it.each(ROOMS)("has no wrong arrow out of %s", (room) => {
    const sources = readSources(room);
    expect(sources).not.toEqual([]);

    const wrong = sources.flatMap(([path, source]) => wrongImports(path, source));

    expect(wrong).toEqual([]);
  });

  it("has no files that import each other, types included", () => {
    expect(findCircles(new Map(ROOMS.flatMap(readSources)))).toEqual([]);
  });
});

describe("a circle is seen", () => {
  const circles: [imports: string, sources: Record<string, string>][] = [
    ["a type", { "db/a.ts": 'import type { B } from "#db/b.ts"', "db/b.ts": 'import { a } from "./a.ts"' }],
    [
      "one type among values",
      { "db/a.ts": 'import { type B, c } from "#db/b.ts"', "db/b.ts": 'export * from "#db/a.ts"' },
    ],
    ["a type in its place", { "db/a.ts": 'let b: import("#db/b.ts").B', "db/b.ts": 'import "#db/a.ts"' }],
    [
      "a module when it is needed",
      { "db/a.ts": 'await import("#db/b.ts")', "db/b.ts": 'export type { A } from "#db/a.ts"' },
    ],
  ];

  it.each(circles)("over %s", (_, sources) => {
    expect(findCircles(new Map(Object.entries(sources)))).toEqual([["db/a.ts", "db/b.ts"]]);
  });

  it("over several files, apart from those that only lead to it", () => {
    const sources = {
      "app/page.ts": 'import { a } from "#db/a.ts"',
      "db/a.ts": 'import { b } from "#db/b.ts"; import { leaf } from "#db/leaf.ts"',
      "db/b.ts": 'import { c } from "#db/c.ts"; import { leaf } from "#db/leaf.ts"',
      "db/c.ts": 'import { a } from "#db/a.ts"',
      "db/leaf.ts": 'import { z } from "zod"',
    };

    expect(findCircles(new Map(Object.entries(sources)))).toEqual([["db/a.ts", "db/b.ts", "db/c.ts"]]);
  });
});

describe("a wrong arrow is seen", () => {
  const wrong: [path: string, source: string, reason: string][] = [
    ["domain/notes/note.ts", 'import { log } from "#platform/log.ts"', "domain may not look into platform"],
    ["domain/notes/note.ts", 'import React from "react"', "domain may not use the package react"],
    ["domain/notes/note.ts", 'import { join } from "node:path"', "domain runs in browsers too"],
    [
      "platform/log.ts",
      'import type { Note } from "#domain/notes/note.ts"',
      "platform may not look into domain",
    ],
    ["platform/log.ts", 'export * from "#db/client.ts"', "platform may not look into db"],
    ["platform/log.ts", 'import { type Db } from "#db/client.ts"', "platform may not look into db"],
    ["platform/log.ts", 'export type { Db } from "#db/client.ts"', "platform may not look into db"],
    ["platform/log.ts", 'let db: import("#db/client.ts").Db', "platform may not look into db"],
    ["db/notes.ts", 'import { session } from "#app/http/session.ts"', "db may not look into app"],
    [
      "db/notes.ts",
      'const { Store } = await import("#db/engine/storage/store.ts")',
      "db may not look into db/engine",
    ],
    ["db/notes.ts", 'import { Store } from "./engine/store.ts"', "it leaves db by a relative path"],
    ["db/notes.ts", 'import { given } from "#tests/support/given.ts"', "db may not look into tests"],
    ["db/engine/wire.ts", 'import { serialize } from "bson"', "db/engine may not use the package bson"],
    ["db/engine/wire.ts", 'import { log } from "#platform/log.ts"', "db/engine may not look into platform"],
    [
      "db/engine/wire.ts",
      'import { values } from "#db/engine/values/values.ts"',
      "db/engine may not look into db/engine",
    ],
    [
      "db/engine/commands/find.ts",
      'import { x } from "../../client.ts"',
      "it leaves db/engine by a relative path",
    ],
    ["db/engine/wire.ts", 'import fs from "fs"', "db/engine may not use the package fs"],
    ["app/routes/home.tsx", 'import { MongoClient } from "mongodb"', "only db uses the driver mongodb"],
    ["app/routes/home.tsx", 'import { sweep } from "#worker/jobs/sweep.ts"', "app may not look into worker"],
    [
      "app/routes/home.tsx",
      'import { Store } from "#db/engine/storage/store.ts"',
      "app may not look into db/engine",
    ],
    ["app/routes/home.tsx", 'import { x } from "../../domain/note.ts"', "it leaves app by a relative path"],
    ["worker/index.ts", 'const pg = require("pg")', "only db uses the driver pg"],
    ["worker/index.ts", 'import PgBoss from "pg-boss"', "only db uses the driver pg-boss"],
    ["worker/index.ts", 'import { page } from "#app/http/page.ts"', "worker may not look into app"],
  ];

  it.each(wrong)("%s: %s", (path, source, reason) => {
    expect(wrongImports(path, source)).toEqual([
      expect.stringMatching(new RegExp(`^${path} imports .*: ${reason}$`)),
    ]);
  });
});

describe("a right arrow is not", () => {
  const right: [path: string, source: string][] = [
    ["domain/notes/note.ts", 'import { z } from "zod"; import { title } from "./title.ts"'],
    ["domain/notes/note.ts", 'import { title } from "#domain/title.ts"'],
    ["platform/log.ts", 'import { hostname } from "node:os"'],
    ["db/notes.ts", 'import { MongoClient } from "mongodb"; import { z } from "#domain/notes/note.ts"'],
    [
      "db/local/postgres/postgres.ts",
      'import { takeLock } from "#platform/install/process-lock.mjs"; import pg from "pg"',
    ],
    ["db/local/postgres/postgres.ts", 'import { client } from "../client.ts"'],
    ["db/engine/wire.ts", 'import { x } from "./values.ts"; import { sqlite } from "node:sqlite"'],
    ["db/engine/commands/find.ts", 'import { x } from "../store.ts"'],
    [
      "app/routes/home.tsx",
      'import styles from "#app/styles/frame/home.css?url"; import { useState } from "react"',
    ],
    ["app/routes/home.tsx", '// import { MongoClient } from "mongodb"\nconst text = "import x from pg";'],
    ["worker/index.ts", 'import { notes } from "#db/notes.ts"; import { log } from "#platform/log.ts"'],
    ["tests/anything.test.ts", 'import { MongoClient } from "mongodb"'],
  ];

  it.each(right)("%s: %s", (path, source) => {
    expect(wrongImports(path, source)).toEqual([]);
  });
});
