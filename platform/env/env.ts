import { resolve } from "node:path";
import { HOUR_MS } from "#platform/durations.ts";
import {
  findHalfProvider,
  findMismatchedKeys,
  findMisplacedBackups,
  findOpenLocalSignIn,
  findUnreadableFile,
} from "#platform/env/env-checks.ts";
import { VARIABLES, type Variables } from "#platform/env/env-variables.ts";
import { findHalfOidc, findNoSignIn, toSignInEnv } from "#platform/env/sign-in-env.ts";
import { newToken } from "#platform/ids.ts";
import { newVapidPair, type VapidPair } from "#platform/outbound/vapid.ts";
import { SANDBOX_LAYERS } from "#platform/processes/sandbox-layers.ts";
import { openDataKeys } from "#platform/secrets/data-keys.ts";
import { keptSecret, readKeptSecret } from "#platform/secrets/kept-secret.ts";
import { newSignInCode } from "#platform/secrets/sign-in-code.ts";

/**
 * The environment, read once when a process starts. Every wrong or missing variable is named in one message, so that a
 * deployment is corrected once and not variable by variable.
 *
 * Production means NODE_ENV=production without the embedded servers: there every secret is required. Anywhere else a missing
 * secret is made and kept in DATA_DIR. CODESHELF_EMBEDDED=1 is set by the launcher that started the embedded servers.
 */
type ProcessName = "web" | "worker" | "release";

const REQUIRED: Record<ProcessName, readonly string[]> = {
  web: ["MONGODB_URI", "DATABASE_URL"],
  worker: ["MONGODB_URI", "DATABASE_URL"],
  release: ["MONGODB_URI", "DATABASE_URL"],
};

const REQUIRED_IN_PRODUCTION: Record<ProcessName, readonly string[]> = {
  web: ["SESSION_SECRET", "DATA_KEY"],
  worker: ["DATA_KEY"],
  release: ["DATA_KEY"],
};

const MEGABYTE = 1024 * 1024;
// A relative DATA_DIR counts from the project, wherever the command was given.
const PROJECT_ROOT = resolve(import.meta.dirname, "..", "..");

export type Env = ReturnType<typeof toEnv>;

export class EnvError extends Error {
  override name = "EnvError";
}

export function readEnv(processName: ProcessName, source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = VARIABLES.safeParse(given);
  const production =
    given.NODE_ENV === "production" && !["1", "true"].includes(given.CODESHELF_EMBEDDED ?? "");
  const required = [...REQUIRED[processName], ...(production ? REQUIRED_IN_PRODUCTION[processName] : [])];
  const wrong = [
    ...required.filter((name) => given[name] === undefined).map((name) => `${name} is missing`),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...findMismatchedKeys(given),
    ...findHalfProvider(given),
    ...findMisplacedBackups(given),
    ...findHalfOidc(given),
    ...(processName === "web" && production ? findNoSignIn(given) : []),
    ...(processName === "web" ? findOpenLocalSignIn(given) : []),
    ...(processName === "worker" ? findUnreadableFile(given, PROJECT_ROOT) : []),
  ];
  if (!parsed.success || wrong.length > 0) throw new EnvError(complaint(processName, wrong));
  return toEnv(processName, parsed.data, production);
}

function complaint(processName: ProcessName | "rotate-key", wrong: string[]): string {
  return [
    `The ${processName} process cannot start. Wrong in its environment:`,
    ...wrong.map((line) => `  - ${line}`),
  ].join("\n");
}

/** Where the environment is wrong, says everything that is wrong and ends the process. */
export function readEnvOrExit(
  processName: ProcessName,
  variables: Record<string, string | undefined> = process.env,
): Env {
  try {
    return readEnv(processName, variables);
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The keys that encrypt people's secrets, for a command that needs nothing else. */
export function readKeyEnv(source: Record<string, string | undefined>) {
  const names = ["DATA_KEY", "DATA_KEY_PREVIOUS", "SESSION_SECRET", "DATA_DIR"] as const;
  const given = Object.fromEntries(names.map((name) => [name, source[name] || undefined]));
  const parsed = VARIABLES.pick({
    DATA_KEY: true,
    DATA_KEY_PREVIOUS: true,
    SESSION_SECRET: true,
    DATA_DIR: true,
  }).safeParse(given);
  const isMissing = source.NODE_ENV === "production" && source.MONGODB_URI && !given.DATA_KEY;
  const wrong = [
    ...(isMissing ? ["DATA_KEY is missing"] : []),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
  ];
  if (!parsed.success || wrong.length > 0) throw new EnvError(complaint("rotate-key", wrong));
  const dataDir = resolve(PROJECT_ROOT, parsed.data.DATA_DIR);
  const sessionSecret = parsed.data.SESSION_SECRET ?? readKeptSecret(dataDir, "session-secret") ?? "";
  const isKept = parsed.data.DATA_KEY === undefined;
  return { dataDir, isKept, dataKeys: openDataKeys(parsed.data, dataDir, sessionSecret) };
}

// The local sign-in has its own bot token. It signs what the widget of a real bot would sign.
const LOCAL_BOT_TOKEN = () => `1:${newToken()}`;
const LOCAL_ADMIN_ID = "1";

const NO_PAIR: VapidPair = { publicKey: "", privateKey: "" };

/** A web process whose workers do the sending needs only the public key. */
function vapidPair(given: Variables, dataDir: string): VapidPair {
  if (given.VAPID_PUBLIC_KEY !== undefined)
    return { publicKey: given.VAPID_PUBLIC_KEY, privateKey: given.VAPID_PRIVATE_KEY ?? "" };
  if (!given.CODESHELF_EMBEDDED) return NO_PAIR;
  return JSON.parse(keptSecret(dataDir, "vapid-pair", () => JSON.stringify(newVapidPair())));
}

function toEnv(processName: ProcessName, given: Variables, production: boolean) {
  const web = processName === "web";
  const embedded = given.CODESHELF_EMBEDDED;
  const dataDir = resolve(PROJECT_ROOT, given.DATA_DIR);
  // A worker signs nothing with it, but decrypts what earlier editions encrypted with it.
  const sessionSecret =
    given.SESSION_SECRET ?? (web || embedded ? keptSecret(dataDir, "session-secret") : "");
  // Where people have another way to sign in, this machine has none of its own.
  const isAlone = given.MESSENGER_BOT_TOKEN === undefined && given.OIDC_ISSUER === undefined;
  const localSignIn = web && embedded && !production && isAlone;
  return {
    production,
    embedded,
    development: given.NODE_ENV === "development",
    port: given.PORT,
    host: given.HOST ?? (embedded ? "127.0.0.1" : "0.0.0.0"),
    dataDir,
    mongodbUri: given.MONGODB_URI ?? "",
    databaseUrl: given.DATABASE_URL ?? "",
    localSignIn,
    signInCode: localSignIn ? keptSecret(dataDir, "sign-in-code", newSignInCode) : "",
    messengerBotToken: localSignIn
      ? keptSecret(dataDir, "messenger-bot-token", LOCAL_BOT_TOKEN)
      : (given.MESSENGER_BOT_TOKEN ?? ""),
    messengerBotName: localSignIn ? "" : (given.MESSENGER_BOT_NAME ?? ""),
    ...toSignInEnv(given, { hasMessenger: localSignIn || given.MESSENGER_BOT_TOKEN !== undefined }),
    messengerAuthMaxAgeSeconds: given.MESSENGER_AUTH_MAX_AGE_SECONDS,
    sessionSecret,
    dataKeys: openDataKeys(given, dataDir, sessionSecret),
    adminUserIds: localSignIn && given.ADMIN_USER_IDS.length === 0 ? [LOCAL_ADMIN_ID] : given.ADMIN_USER_IDS,
    premiumUserIds: given.PREMIUM_USER_IDS,
    trustProxyHops: given.TRUST_PROXY,
    metricsToken: given.METRICS_TOKEN,
    alertsToken: given.ALERTS_TOKEN,
    vapid: { ...vapidPair(given, dataDir), subject: given.VAPID_SUBJECT },
    pushMaxAttempts: given.PUSH_MAX_ATTEMPTS,
    pushAllowLoopback: given.PUSH_ALLOW_LOOPBACK,
    explain: {
      provider: given.AI_API_URL
        ? { url: given.AI_API_URL, key: given.AI_API_KEY ?? "", model: given.AI_MODEL ?? "" }
        : null,
      allowLoopback: given.AI_ALLOW_LOOPBACK,
    },
    codehost: {
      allowLocal: given.CODEHOST_ALLOW_LOCAL,
      apiUrl: given.CODEHOST_API_URL?.replace(/\/+$/, "") ?? null,
      token: given.CODEHOST_TOKEN ?? null,
      webhookSecret: given.CODEHOST_WEBHOOK_SECRET ?? null,
      caFile: given.CODEHOST_CA_FILE ? resolve(PROJECT_ROOT, given.CODEHOST_CA_FILE) : null,
      syncMinutes: given.CODEHOST_SYNC_MINUTES,
      syncTimeoutMs: given.CODEHOST_SYNC_TIMEOUT_SECONDS * 1_000,
      mirrorsMaxBytes: given.MAX_MIRRORS_MB * MEGABYTE,
      mirrorMaxBytes: given.CODEHOST_MIRROR_MAX_MB * 1_000_000,
      mirrorMaxFiles: given.CODEHOST_MIRROR_MAX_FILES,
    },
    backups: given.BACKUP_DIR
      ? {
          directory: resolve(PROJECT_ROOT, given.BACKUP_DIR),
          everyMs: given.BACKUP_EVERY_HOURS * HOUR_MS,
          keep: given.BACKUP_KEEP,
        }
      : null,
    logLevel: given.LOG_LEVEL,
    maxNotesPerUser: given.MAX_NOTES_PER_USER,
    storage: {
      maxLibraryBytes: given.MAX_LIBRARY_MB * MEGABYTE,
      uploadsPerMinute: given.RATE_LIMIT_UPLOADS_PER_MINUTE,
    },
    requestsAtOnce: given.MAX_REQUESTS_AT_ONCE,
    requestsPerMinute: given.RATE_LIMIT_REQUESTS_PER_MINUTE,
    writesPerMinute: given.RATE_LIMIT_WRITES_PER_MINUTE,
    codeRunsPerMinute: given.RATE_LIMIT_CODE_RUNS_PER_MINUTE,
    explainsPerMinute: given.RATE_LIMIT_EXPLAINS_PER_MINUTE,
    codeExecutionEnabled: given.CODE_EXECUTION_ENABLED,
    codeRunsPerUser: given.CODE_RUNS_PER_USER,
    codeQueueMax: given.CODE_QUEUE_MAX,
    codeQueueWaitSeconds: given.CODE_QUEUE_WAIT_SECONDS,
    codePoolSize: given.CODE_POOL_SIZE,
    releaseTimeoutSeconds: given.RELEASE_TIMEOUT_SECONDS,
    codeSandboxWithout: embedded ? [...SANDBOX_LAYERS] : given.CODE_SANDBOX_WITHOUT,
    codeSandboxRequire: given.CODE_SANDBOX_REQUIRE,
  };
}
