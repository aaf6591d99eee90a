/** The product's own web process and worker on given databases, in production mode, for parts that measure over HTTP. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ensureBuild } from "#db/local/build.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { signed } from "#tests/support/sign-in/widget-login.ts";
import type { BenchDatabases } from "./databases.ts";

export const BOT_TOKEN = `1:${"b".repeat(35)}`;

export interface Site {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Does nothing where the process has ended already. */
export async function endProcess(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

async function toSite(child: ChildProcess): Promise<Site> {
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { url, pid: required(child.pid), stop: () => endProcess(child) };
}

/** Nothing limits how often a person may ask. */
const toEnvironment = ({ directory, mongodbUri, databaseUrl }: BenchDatabases): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: "production",
  CODESHELF_EMBEDDED: "1",
  DATA_DIR: directory,
  MONGODB_URI: mongodbUri,
  DATABASE_URL: databaseUrl,
  PORT: "0",
  HOST: "127.0.0.1",
  MESSENGER_BOT_TOKEN: BOT_TOKEN,
  LOG_LEVEL: "error",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "1000000",
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
  RATE_LIMIT_UPLOADS_PER_MINUTE: "1000000",
});

function startProgram(path: string, env: NodeJS.ProcessEnv): ChildProcess {
  return fork(join(PROJECT_ROOT, path), [], {
    cwd: PROJECT_ROOT,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Builds the app where it changed, runs the release step, then the web process. */
export async function startWeb(databases: BenchDatabases): Promise<Site> {
  await ensureBuild({ root: PROJECT_ROOT, env: process.env, log: console.log });
  const env = toEnvironment(databases);
  await once(startProgram("db/release.ts", env), "exit");
  return toSite(startProgram("app/server.ts", env));
}

/** The worker beside it, once it is at work. */
export async function startWorker(databases: BenchDatabases): Promise<ChildProcess> {
  const worker = startProgram("worker/index.ts", {
    ...toEnvironment(databases),
    NODE_ENV: process.env.NODE_ENV,
  });
  await once(worker, "message");
  return worker;
}

/** A process that does nothing but answer with what is in this file. */
export function startBaseline(program: "web-baseline.ts" | "json-baseline.ts", file: string): Promise<Site> {
  const env = { ...process.env, NODE_ENV: "production" as const };
  return toSite(fork(join(import.meta.dirname, program), [file], { env }));
}

let logins = 0;

/** Logs a person in; answers the cookie. What was signed works once, so that no two logins are signed for the same second. */
export async function logIn(url: string, id: string): Promise<string> {
  const auth_date = Math.floor(Date.now() / 1000) - logins++;
  const login = signed({ id, first_name: "Bench", auth_date }, BOT_TOKEN);
  const answer = await fetch(`${url}/auth/messenger`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(login),
  });
  if (!answer.ok) throw new Error(`login answered ${answer.status}`);
  return required(answer.headers.getSetCookie()[0]?.split(";")[0]);
}

/** Makes a token that may write. */
export async function createToken(url: string, cookie: string): Promise<string> {
  const answer = await fetch(`${url}/settings/tokens`, {
    method: "POST",
    headers: { Cookie: cookie, Accept: "text/html" },
    body: new URLSearchParams({ intent: "create", name: "bench", scope: "write", lifetime: "null" }),
  });
  return required(/cs_[\w-]{43}/.exec(await answer.text())?.[0], "token");
}

/** Saves a file; answers its id. */
export async function saveFile(url: string, cookie: string, name: string, body: string): Promise<string> {
  const answer = await fetch(`${url}/api/files/${name}`, {
    method: "PUT",
    headers: { Cookie: cookie },
    body,
  });
  if (!answer.ok) throw new Error(`saving answered ${answer.status}`);
  return ((await answer.json()) as { file_id: string }).file_id;
}

// More than two pages of the list.
const FILES = 47;

/** Logs a person in and fills the list; answers the cookie and the last file. */
export async function settleIn(url: string): Promise<{ cookie: string; file: string }> {
  const cookie = await logIn(url, "7");
  let file = "";
  for (let i = 0; i < FILES; i += 1)
    file = await saveFile(url, cookie, `file_${i}.py`, `"""File ${i}"""\n\n\ndef run():\n    return ${i}\n`);
  return { cookie, file };
}
