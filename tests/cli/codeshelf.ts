/** The command line as people run it: a separate process with its own home and working folder. */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { createToken } from "#db/accounts/tokens.server.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { newOwner } from "#tests/support/accounts/accounts.ts";
import { afterwards } from "#tests/support/test-runs/afterwards.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import type { TestWeb } from "#tests/support/web.ts";

// Each command is a process, and a busy machine starts processes slowly.
vi.setConfig({ testTimeout: 180_000 });

/** What the server sends. */
export const PROGRAM = join(PROJECT_ROOT, "build/client/codeshelf.mjs");

/** This machine's Node versions from 20 on, one of each. */
export const NODES = [process.execPath, "/usr/bin/node", "/usr/local/bin/node"]
  .filter((path) => existsSync(path))
  .map((path) => ({ path, version: execFileSync(path, ["--version"], { encoding: "utf8" }).trim() }))
  .filter(({ version }, i, all) => all.findIndex((other) => other.version === version) === i)
  .filter(({ version }) => Number(/^v(\d+)/.exec(version)?.[1]) >= 20);

type Ran = { code: number | null; stdout: string; stderr: string };
type RunOptions = { node?: string; input?: string; env?: Record<string, string>; cwd?: string };

export class Machine {
  readonly home: string;
  readonly #env: Record<string, string>;

  constructor(home: string, env: Record<string, string>) {
    this.home = home;
    this.#env = env;
  }

  at(...path: string[]): string {
    return join(this.home, ...path);
  }

  env(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    const { PATH, NODE_ENV } = process.env;
    const own = { HOME: this.home, XDG_CONFIG_HOME: this.at(".config") };
    return { PATH, NODE_ENV, ...own, ...this.#env, ...more };
  }

  /** Starts a command without waiting for its end. */
  start(words: string[], { node = process.execPath, env, cwd }: RunOptions = {}) {
    return spawn(node, [PROGRAM, ...words], { cwd: cwd ?? this.home, env: this.env(env) });
  }

  run(words: string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.start(words, options);
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk) => stdout.push(chunk));
    child.stderr.on("data", (chunk) => stderr.push(chunk));
    return new Promise((done, fail) => {
      child.on("error", fail);
      child.on("close", (code) =>
        done({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
      );
    });
  }

  /** Returns the output of a command that must succeed. */
  async ok(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(words);
    if (code !== 0) throw new Error(`codeshelf ${words.join(" ")} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test reads the fields it knows
  async json(...words: string[]): Promise<any> {
    return JSON.parse((await this.run([...words, "--json"])).stdout);
  }

  async write(files: Record<string, string | Buffer>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(this.at(path)), { recursive: true });
      await writeFile(this.at(path), content);
    }
  }

  read(path: string): Promise<string> {
    return readFile(this.at(path), "utf8");
  }

  /** The texts of the files below a folder, without the program's own. */
  async tree(folder: string): Promise<Record<string, string>> {
    const entries = await readdir(this.at(folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== ".codeshelf-sync.json");
    const texts = files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(this.at(folder).length + 1), await readFile(file, "utf8")] as const;
    });
    return Object.fromEntries((await Promise.all(texts)).sort());
  }
}

export async function newMachine(env: Record<string, string> = {}): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), "codeshelf-cli-"));
  afterwards(() => rmSync(home, { recursive: true, force: true }));
  return new Machine(home, env);
}

export async function giveToken(web: TestWeb, id: string): Promise<string> {
  const wish = { name: "cli", scope: "write", lifetimeDays: 7 } as const;
  const token = orThrow(await createToken(web.db, newOwner(id), wish, web.clock()));
  return token.secret;
}
