/** Web processes of the product on given databases, as many as are wanted, and one administrator at each of them. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { itemAt } from "#domain/required.ts";
import { type Caller, callerOf } from "#tests/crash/caller.ts";
import { signed } from "#tests/support/sign-in/widget-login.ts";

const BOT_TOKEN = `1:${"r".repeat(35)}`;
export const RACER = "77";
/** More than a file takes, less than a board does: the last note that fits is one of a person's. */
export const NOTES_OF_RACER = 90;

export type Webs = { callers: Caller[]; stop(): Promise<void> };
type Databases = { mongodbUri: string; databaseUrl: string; directory: string };

export async function startWebs(
  count: number,
  { mongodbUri, databaseUrl, directory }: Databases,
): Promise<Webs> {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    NODE_ENV: "production",
    CODESHELF_EMBEDDED: "1",
    DATA_DIR: directory,
    MONGODB_URI: mongodbUri,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    MESSENGER_BOT_TOKEN: BOT_TOKEN,
    ADMIN_USER_IDS: RACER,
    LOG_LEVEL: "error",
    MAX_NOTES_PER_USER: String(NOTES_OF_RACER),
    RATE_LIMIT_REQUESTS_PER_MINUTE: "1000000",
    RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
    RATE_LIMIT_UPLOADS_PER_MINUTE: "1000000",
  };
  const children = Array.from({ length: count }, () =>
    fork(join(PROJECT_ROOT, "app", "server.ts"), [], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] }),
  );
  const urls = await Promise.all(
    children.map(async (child) => ((await once(child, "message")) as [{ url: string }])[0].url),
  );
  const login = signed(
    { id: RACER, first_name: "Racer", auth_date: Math.floor(Date.now() / 1000) },
    BOT_TOKEN,
  );
  const answer = await fetch(`${urls[0]}/auth/messenger`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(login),
  });
  const cookie = itemAt(itemAt(answer.headers.getSetCookie(), 0).split(";"), 0);
  return {
    callers: urls.map((url) => callerOf(url, cookie)),
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          const exit = once(child, "exit");
          child.kill("SIGTERM");
          await exit;
        }),
      );
    },
  };
}
