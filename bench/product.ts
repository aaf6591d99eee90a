/** The product's own web process and worker on given databases, in production mode, for parts that measure over HTTP. */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ensureBuild } from "#db/local/build.ts";
import { required } from "#domain/required.ts";
import { signed } from "#tests/support/sign-in/widget-login.ts";
import type { BenchDatabases } from "./databases.ts";

export const BOT_TOKEN = `1:${"b".repeat(35)}`;
const ROOT = join(import.meta.dirname, "..");

export interface Site {
  url: string;
  pid: number;
  /** The process itself, where one asks it more than its address. */
  child?: ChildProcess;
  stop(): Promise<void>;
}

interface WebOptions extends BenchDatabases {
  /** Where to, if the process is to be profiled. */
  profileInto?: string;
  /** What is started in place of the web process's own program, and how. */
  program?: { path: string; flags: string[] };
}

export async function stopped(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

export async function ready(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, "message")) as [{ url: string }];
  return message.url;
}

/** Builds the app where it changed, runs the release step, then the web process. Nothing limits how often one person may ask. */
export async function startWeb({
  directory,
  mongodbUri,
  databaseUrl,
  profileInto,
  program = { path: join(ROOT, "app", "server.ts"), flags: [] },
}: WebOptions): Promise<Site> {
  await ensureBuild({ root: ROOT, env: process.env, log: console.log });
  const env: NodeJS.ProcessEnv = {
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
  };
  const release = spawn(process.execPath, ["db/release.ts"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(release, "exit");
  const web = fork(program.path, [], {
    cwd: ROOT,
    env,
    execArgv: profileInto ? ["--cpu-prof", `--cpu-prof-dir=${profileInto}`] : program.flags,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return { url: await ready(web), pid: required(web.pid), child: web, stop: () => stopped(web) };
}

/** The worker beside it, once it is at work. */
export async function startWorker({
  directory,
  mongodbUri,
  databaseUrl,
}: BenchDatabases): Promise<ChildProcess> {
  const worker = fork(join(ROOT, "worker", "index.ts"), [], {
    cwd: ROOT,
    env: {
      ...process.env,
      CODESHELF_EMBEDDED: "1",
      DATA_DIR: directory,
      MONGODB_URI: mongodbUri,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(worker, "message");
  return worker;
}

/** A process that does nothing but answer with what is in this file. */
export async function startBaseline(
  file: string,
  program: "web-baseline.ts" | "json-baseline.ts" = "web-baseline.ts",
): Promise<Site> {
  const child = fork(join(import.meta.dirname, program), [file], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  return { url: await ready(child), pid: required(child.pid), stop: () => stopped(child) };
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
