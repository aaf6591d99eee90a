import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { itemAt, required } from "#domain/required.ts";
import { openTestStore } from "#tests/support/store.ts";

const inRoot = (...path: string[]) => join(PROJECT_ROOT, ...path);
const run = promisify(execFile);
const store = await openTestStore();
const { scripts, bin } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
  scripts: Record<string, string>;
  bin: Record<string, string>;
};

/** The runner of a documented command: a test that names its program, this file, or a person, and why. */
type Runner =
  | { test: string; program: string }
  | { here: () => Promise<string>; says: RegExp }
  | { person: string };

const RUNNERS: Record<string, Runner> = {
  "npm start": { test: "tests/support/product/product.ts", program: "launch.ts" },
  "npm test": { person: "it is what is running" },
  "npm run mongo": { test: "tests/local/mongo.test.ts", program: "mongo.ts" },
  "npm run dev": { person: "it is npm start with a watching build, which takes a minute" },
  "npm run seed": {
    here: () => node("db/local/seed.ts", "--files", "3", "--user", "1"),
    says: /^3 files saved for user 1 /,
  },
  "npm run bench": { test: "tests/local/given-mongodb.full.test.ts", program: "bench/run.ts" },
  "npm run role": { test: "tests/routes/accounts/people.test.ts", program: "role.ts" },
  "npm run rotate-key": { test: "tests/local/rotate-key.test.ts", program: "rotate-key.ts" },
  "npm run backup": { test: "tests/db/backups.test.ts", program: "backup.ts" },
  "npm run move": { test: "tests/local/move.test.ts", program: "move.ts" },
  "npm run restore": { test: "tests/db/backups.test.ts", program: "restore.ts" },
  "npm run recycle-backfill": {
    test: "tests/local/recycle-backfill.test.ts",
    program: "recycle-backfill.ts",
  },
  "npm run screenshots": { person: "it writes pictures into the repository" },
  "npm run image-check": { person: "it makes a whole image, as root, with tools of its own" },
  "npm run mutants": { person: "it runs the tests of a module once for each change" },
  "npm run lighthouse": { person: "it fetches a tool of 181 MB and wants a quiet machine" },
  "npm run typecheck": { person: "npm test does it beside the tests" },
  "npm run lint": { person: "npm test does it beside the tests" },
  "npm run format": { person: "it rewrites files" },
  "npm run build": { person: "npm test does it beside the tests" },
  "npm run heroku-cleanup": { test: "tests/platform/slim-packages.test.ts", program: "slim-packages.ts" },
  "npx vitest": { test: "tests/local/given-mongodb.full.test.ts", program: "node_modules/.bin/vitest" },
  "npx codeshelf": { here: () => node("app/command-line/main.ts", "--version"), says: /^\d+\.\d+\.\d+$/m },
  "npx web-push": {
    here: async () => (await run(inRoot("node_modules/.bin/web-push"), ["generate-vapid-keys"])).stdout,
    says: /Public Key:\s+[\w-]{80,}\s+Private Key:\s+[\w-]{40,}/,
  },
  "node db/release.ts": { test: "tests/routes/http/process.test.ts", program: "release.ts" },
  "node app/server.ts": { test: "tests/routes/http/process.test.ts", program: "server.ts" },
  "node tests/releases/make.ts": {
    person: "it is run once for every release and writes into the repository",
  },
  "node worker/index.ts": { test: "tests/worker/process.test.ts", program: "index.ts" },
};

async function node(...words: string[]): Promise<string> {
  const env = { ...process.env, MONGODB_URI: store.uri } as NodeJS.ProcessEnv;
  return (await run(process.execPath, [inRoot(itemAt(words, 0)), ...words.slice(1)], { env })).stdout;
}

const PAGES = [
  "README.md",
  "bench/README.md",
  "db/engine/README.md",
  ...readdirSync(inRoot("docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const COMMAND = /(?<=`|^)(npm run [\w-]+|npm (?:start|test)|npx [\w-]+|node [\w/]+\.ts)\b/gm;
const documented = [
  ...new Set(PAGES.flatMap((page) => readFileSync(inRoot(page), "utf8").match(COMMAND) ?? [])),
].sort();

describe("a documented command", () => {
  it("is run by a test or a person, and every such command is documented", () => {
    expect(documented).toEqual(Object.keys(RUNNERS).sort());
  });

  it.each(documented)("%s exists", (command) => {
    const [program, ...words] = command.split(" ");
    const name = program === "npm" ? required(words.at(-1)) : "";
    const isThere: Record<string, () => boolean> = {
      npm: () => Object.hasOwn(scripts, name),
      npx: () => existsSync(inRoot(bin[itemAt(words, 0)] ?? join("node_modules/.bin", itemAt(words, 0)))),
      node: () => existsSync(inRoot(itemAt(words, 0))),
    };
    expect(required(isThere[required(program)])()).toBe(true);
  });

  it.each(Object.entries(RUNNERS))("%s is run", async (_, runner) => {
    if ("here" in runner) return expect(await runner.here()).toMatch(runner.says);
    if ("test" in runner) return expect(readFileSync(inRoot(runner.test), "utf8")).toContain(runner.program);
    expect(runner.person.length).toBeGreaterThan(10);
  });
});
