import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "#db/local/processes/server-process.ts";
import type { VapidPair } from "#platform/outbound/vapid.ts";
import { keptSecret, readSecret, replaceSecret } from "#platform/secrets/kept-secret.ts";

/** The keys for sessions, encrypted tokens and push devices: the variable, and the name of the file in DATA_DIR. */
const KEYS = {
  SESSION_SECRET: "session-secret",
  DATA_KEY: "data-key",
  DATA_KEY_PREVIOUS: "data-key-previous",
} as const;
const VAPID = "vapid-pair";

type Addresses = { mongodbUri: string; databaseUrl: string | undefined };

/** Writes the variables that a server needs to continue with the moved library, readable only by its owner. Returns the file's name. */
export async function writeMovedEnv(
  dataDir: string,
  env: Environment,
  addresses: Addresses,
): Promise<string> {
  const { mongodbUri, databaseUrl } = addresses;
  const lines = [
    `MONGODB_URI=${mongodbUri}`,
    databaseUrl ? `DATABASE_URL=${databaseUrl}` : "# DATABASE_URL: a PostgreSQL for the queue",
    ...toVariableLines("SESSION_SECRET", env, () => keptSecret(dataDir, KEYS.SESSION_SECRET)),
    // A library without encrypted content has no key yet, but a server in production does not start without one.
    ...toVariableLines("DATA_KEY", env, () => keptSecret(dataDir, KEYS.DATA_KEY)),
    ...toVariableLines("DATA_KEY_PREVIOUS", env, () => readSecret(dataDir, KEYS.DATA_KEY_PREVIOUS)),
    ...listVapidLines(dataDir, env),
    "# Beside these: NODE_ENV=production, and MESSENGER_BOT_TOKEN with MESSENGER_BOT_NAME, or OIDC_*, by which people log in.",
  ];
  const file = join(dataDir, "moved.env");
  await rm(file, { force: true });
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** A key that is set as a variable remains the operator's responsibility. */
function toVariableLines(
  variable: string,
  env: Environment,
  readStored: () => string | null | undefined,
): string[] {
  if (env[variable]) return [`# ${variable} stays what it is set to now`];
  const storedKey = readStored();
  return storedKey ? [`${variable}=${storedKey}`] : [];
}

function listVapidLines(dataDir: string, env: Environment): string[] {
  const storedPair = readSecret(dataDir, VAPID);
  const pair: VapidPair | null = storedPair === null ? null : JSON.parse(storedPair);
  return [
    ...toVariableLines("VAPID_PUBLIC_KEY", env, () => pair?.publicKey),
    ...toVariableLines("VAPID_PRIVATE_KEY", env, () => pair?.privateKey),
  ];
}

/** Stores keys from variables in DATA_DIR. Returns the variables of keys that are neither set nor stored. */
export function storeGivenKeys(dataDir: string, env: Environment): string[] {
  for (const [variable, name] of Object.entries(KEYS)) storeKey(dataDir, name, env[variable]);
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env;
  if (publicKey && privateKey)
    storeKey(dataDir, VAPID, JSON.stringify({ publicKey, privateKey } satisfies VapidPair));
  const needed = { SESSION_SECRET: KEYS.SESSION_SECRET, DATA_KEY: KEYS.DATA_KEY, VAPID_PRIVATE_KEY: VAPID };
  return Object.entries(needed).flatMap(([variable, name]) =>
    readSecret(dataDir, name) === null ? [variable] : [],
  );
}

function storeKey(dataDir: string, name: string, value: string | undefined): void {
  if (!value) return;
  if (keptSecret(dataDir, name, () => value) !== value) replaceSecret(dataDir, name, value);
}
