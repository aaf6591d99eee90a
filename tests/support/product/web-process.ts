/** Only the product's web process, on databases of a test. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { BOT_TOKEN, UNLIMITED } from "#tests/support/web.ts";

export type Databases = { mongodbUri: string; databaseUrl: string; directory: string };
export type WebProcess = { child: ChildProcess; url: string; stop(): Promise<void> };

export async function startWebProcess(
  { mongodbUri, databaseUrl, directory }: Databases,
  variables: Record<string, string>,
  execArgv: string[] = [],
): Promise<WebProcess> {
  const child = fork(join(PROJECT_ROOT, "app", "server.ts"), [], {
    execArgv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "production",
      CODESHELF_EMBEDDED: "1",
      DATA_DIR: directory,
      MONGODB_URI: mongodbUri,
      DATABASE_URL: databaseUrl,
      PORT: "0",
      HOST: "127.0.0.1",
      MESSENGER_BOT_TOKEN: BOT_TOKEN,
      LOG_LEVEL: "error",
      RATE_LIMIT_REQUESTS_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_WRITES_PER_MINUTE: UNLIMITED,
      RATE_LIMIT_UPLOADS_PER_MINUTE: UNLIMITED,
      ...variables,
    },
  });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    child,
    url,
    async stop() {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}
