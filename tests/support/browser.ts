/**
 * The whole product as a person meets it: the launcher with its databases, web and worker in a directory of its own, and
 * Chromium in front of it.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium } from "playwright";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { exitOf } from "#db/local/server-process.ts";
import { findBrowser } from "#tests/support/find-browser.ts";

// Chromium refuses its sandbox to root, and none of what the rest switches off is wanted in a test.
const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const READY = /Codeshelf is ready: (\S+)/;
// What the machine may have configured and a product of its own must not see.
const CONFIGURED = [
  "MONGODB_URI",
  "DATABASE_URL",
  "MESSENGER_BOT_TOKEN",
  "MESSENGER_BOT_NAME",
  "NODE_ENV",
  "HOST",
];

export type Product = { url: string; pid: number; dataDir: string; stop(): Promise<void> };

type ProductOptions = { port?: number; variables?: Record<string, string> };

/** Started with nothing configured but what is given. What it kept is removed when it is stopped. */
export async function startProduct({ port = 0, variables = {} }: ProductOptions = {}): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-browser-"));
  const inherited = Object.entries(process.env).filter(([name]) => !CONFIGURED.includes(name));
  const dataDir = join(directory, "data");
  const given = { ...variables, DATA_DIR: dataDir, PORT: String(port) };
  const env = { ...Object.fromEntries(inherited), ...given };
  const launcher = spawn(process.execPath, [join(PROJECT_ROOT, "db", "local", "launch.ts")], {
    cwd: PROJECT_ROOT,
    env: env as NodeJS.ProcessEnv & typeof env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = exitOf(launcher);
  const lines: string[] = [];
  const ready = new Promise<string>((resolve, reject) => {
    for (const output of [launcher.stdout, launcher.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        lines.push(line);
        const url = READY.exec(line)?.[1];
        if (url) resolve(url);
      });
    }
    exit.then(() => reject(new Error(`The product did not start:\n${lines.slice(-30).join("\n")}`)), reject);
  });
  const stop = async () => {
    launcher.kill("SIGINT");
    await exit;
    await rm(directory, { recursive: true, force: true });
  };
  return { url: await ready, pid: launcher.pid!, dataDir, stop };
}

export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser(process.env, console.log);
  return chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
}
