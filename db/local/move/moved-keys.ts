import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "#db/local/processes/server-process.ts";
import type { VapidPair } from "#platform/outbound/vapid.ts";
import { keptSecret, readKeptSecret, replaceKeptSecret } from "#platform/secrets/kept-secret.ts";

/** The keys that sessions, encrypted tokens and push devices depend on: the variable, and the name under which DATA_DIR keeps it. */
const KEYS = {
  SESSION_SECRET: "session-secret",
  DATA_KEY: "data-key",
  DATA_KEY_PREVIOUS: "data-key-previous",
} as const;
const VAPID = "vapid-pair";

type Addresses = { mongodbUri: string; databaseUrl: string | undefined };

/** Writes what a server needs to go on with the moved library, for its owner alone. Returns the file's name. */
export async function writeMovedEnv(
  dataDir: string,
  env: Environment,
  addresses: Addresses,
): Promise<string> {
  const { mongodbUri, databaseUrl } = addresses;
  const lines = [
    `MONGODB_URI=${mongodbUri}`,
    databaseUrl ? `DATABASE_URL=${databaseUrl}` : "# DATABASE_URL: a PostgreSQL for the queue",
    ...toLines("SESSION_SECRET", env, () => keptSecret(dataDir, KEYS.SESSION_SECRET)),
    // A library in which nothing was encrypted yet has no key, and a server in production does not start without one.
    ...toLines("DATA_KEY", env, () => keptSecret(dataDir, KEYS.DATA_KEY)),
    ...toLines("DATA_KEY_PREVIOUS", env, () => readKeptSecret(dataDir, KEYS.DATA_KEY_PREVIOUS)),
    ...listVapidLines(dataDir, env),
    "# Beside these: NODE_ENV=production, and MESSENGER_BOT_TOKEN with MESSENGER_BOT_NAME, or OIDC_*, by which people log in.",
  ];
  const file = join(dataDir, "moved.env");
  await rm(file, { force: true });
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** A key that is given as a variable stays the operator's to give. */
function toLines(variable: string, env: Environment, readKept: () => string | null | undefined): string[] {
  if (env[variable]) return [`# ${variable} stays what it is set to now`];
  const kept = readKept();
  return kept ? [`${variable}=${kept}`] : [];
}

function listVapidLines(dataDir: string, env: Environment): string[] {
  const kept = readKeptSecret(dataDir, VAPID);
  const pair: VapidPair | null = kept === null ? null : JSON.parse(kept);
  return [
    ...toLines("VAPID_PUBLIC_KEY", env, () => pair?.publicKey),
    ...toLines("VAPID_PRIVATE_KEY", env, () => pair?.privateKey),
  ];
}

/** Keeps the keys that are given as variables in DATA_DIR. Returns the variables of those that are neither given nor kept. */
export function keepGivenKeys(dataDir: string, env: Environment): string[] {
  for (const [variable, name] of Object.entries(KEYS)) keep(dataDir, name, env[variable]);
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env;
  if (publicKey && privateKey)
    keep(dataDir, VAPID, JSON.stringify({ publicKey, privateKey } satisfies VapidPair));
  const needed = { SESSION_SECRET: KEYS.SESSION_SECRET, DATA_KEY: KEYS.DATA_KEY, VAPID_PRIVATE_KEY: VAPID };
  return Object.entries(needed).flatMap(([variable, name]) =>
    readKeptSecret(dataDir, name) === null ? [variable] : [],
  );
}

function keep(dataDir: string, name: string, given: string | undefined): void {
  if (!given) return;
  if (keptSecret(dataDir, name, () => given) !== given) replaceKeptSecret(dataDir, name, given);
}
