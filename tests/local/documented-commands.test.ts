import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { openTestStore } from "#tests/support/store.ts";

const inRoot = (...path: string[]) => join(PROJECT_ROOT, ...path);
const run = promisify(execFile);
const store = await openTestStore();
const { scripts, bin } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as {
  scripts: Record<string, string>;
  bin: Record<string, string>;
};

/** Commands that no other test runs, and what they print. */
const PRINTS: Record<string, [run: () => Promise<string>, words: RegExp]> = {
  "npm run seed": [
    () => node("db/local/seed.ts", "--files", "3", "--user", "1"),
    /^3 files saved for user 1 /,
  ],
  "npx codeshelf": [() => node("app/command-line/main.ts", "--version"), /^\d+\.\d+\.\d+$/m],
  "npx web-push": [
    async () => (await run(inRoot("node_modules/.bin/web-push"), ["generate-vapid-keys"])).stdout,
    /Public Key:\s+[\w-]{80,}\s+Private Key:\s+[\w-]{40,}/,
  ],
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

  it.each(Object.entries(PRINTS))("%s prints what its page says", async (command, [print, words]) => {
    expect(documented).toContain(command);
    expect(await print()).toMatch(words);
  });
});
