import { resolve } from "node:path";
import { z } from "zod";
import { DATA_KEY_MIN, openDataKeys } from "#platform/data-keys.ts";
import {
  findHalfProvider,
  findMismatchedKeys,
  findMisplacedBackups,
  findOpenLocalSignIn,
  findUnreadableFile,
} from "#platform/env-checks.ts";
import { newToken } from "#platform/ids.ts";
import { keptSecret, readKeptSecret } from "#platform/kept-secret.ts";
import { LOG_LEVELS } from "#platform/log.ts";
import { SANDBOX_LAYERS } from "#platform/sandbox-layers.ts";
import { newSignInCode } from "#platform/sign-in-code.ts";
import { findHalfOidc, findNoSignIn, SIGN_IN_VARIABLES, toSignInEnv } from "#platform/sign-in-env.ts";
import { newVapidPair, type VapidPair } from "#platform/vapid.ts";

/**
 * The environment, read once when a process starts. Every wrong or missing variable is named in one message, so that a
 * deployment is corrected once and not variable by variable.
 *
 * Production means NODE_ENV=production without the embedded servers: there every secret is required. Anywhere else a missing
 * secret is made and kept in DATA_DIR. CODESHELF_EMBEDDED=1 is set by the launcher that started the embedded servers.
 */
export type ProcessName = "web" | "worker" | "release";

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

const SESSION_SECRET_MIN = 16;
const MEGABYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
// A relative DATA_DIR counts from the project, wherever the command was given.
const PROJECT_ROOT = resolve(import.meta.dirname, "..");

const flag = z
  .enum(["0", "1", "true", "false"])
  .default("0")
  .transform((value) => value === "1" || value === "true");
const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(from).max(to));
const limit = (fallback: number) => wholeNumber(1, 1_000_000).default(fallback);
const secret = (min: number) => z.string().min(min, `must have at least ${min} characters`).optional();
const idList = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((id) => id.trim())
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z
        .string()
        .regex(/^(\d+|[0-9a-f]{24})$/, "must be ids of the messenger or of accounts, separated by commas"),
    ),
  );
const switchedOn = z
  .enum(["0", "1", "true", "false"])
  .default("1")
  .transform((value) => value === "1" || value === "true");
const layerList = z
  .string()
  .default("")
  .transform((text) => (text.trim() === "all" ? SANDBOX_LAYERS.join() : text))
  .transform((text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.enum(SANDBOX_LAYERS)));
const PROXY_HOPS: Record<string, string> = { true: "1", false: "0" };
const address = (protocols: RegExp, example: string) =>
  z.string().regex(protocols, `must look like ${example}`);

const variables = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).optional(),
  CODESHELF_EMBEDDED: flag,
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default(".data"),
  MONGODB_URI: address(/^mongodb(\+srv)?:\/\//, "mongodb://…").optional(),
  DATABASE_URL: address(/^postgres(ql)?:\/\//, "postgres://…").optional(),
  MESSENGER_BOT_TOKEN: z.string().optional(),
  MESSENGER_BOT_NAME: z
    .string()
    .regex(/^\w{3,64}$/, "must be the bot's user name, without @")
    .optional(),
  MESSENGER_AUTH_MAX_AGE_SECONDS: limit(86_400),
  SESSION_SECRET: secret(SESSION_SECRET_MIN),
  DATA_KEY: secret(DATA_KEY_MIN),
  DATA_KEY_PREVIOUS: secret(DATA_KEY_MIN),
  ...SIGN_IN_VARIABLES,
  ADMIN_USER_IDS: idList,
  PREMIUM_USER_IDS: idList,
  TRUST_PROXY: z.preprocess((hops) => PROXY_HOPS[String(hops)] ?? hops, wholeNumber(0, 16).default(0)),
  METRICS_TOKEN: z.string().optional(),
  ALERTS_TOKEN: z.string().optional(),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: address(/^(mailto:[^@\s]+@|https:\/\/)\S+$/, "mailto:you@… or https://…").default(
    "mailto:webmaster@example.com",
  ),
  PUSH_ALLOW_LOOPBACK: flag,
  PUSH_MAX_ATTEMPTS: wholeNumber(1, 100).default(5),
  AI_API_URL: address(/^https?:\/\//, "https://…").optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().max(100).optional(),
  AI_ALLOW_LOOPBACK: flag,
  CODEHOST_ALLOW_LOCAL: flag,
  CODEHOST_API_URL: address(/^https?:\/\//, "https://api.…").optional(),
  CODEHOST_TOKEN: z.string().optional(),
  CODEHOST_CA_FILE: z.string().optional(),
  CODEHOST_WEBHOOK_SECRET: z.string().optional(),
  CODEHOST_SYNC_MINUTES: wholeNumber(5, 10_080).default(60),
  CODEHOST_SYNC_TIMEOUT_SECONDS: wholeNumber(1, 1_080).default(600),
  CODEHOST_MIRROR_MAX_MB: wholeNumber(1, 100_000).default(500),
  CODEHOST_MIRROR_MAX_FILES: wholeNumber(1, 200_000).default(20_000),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: wholeNumber(1, 8_760).default(24),
  BACKUP_KEEP: wholeNumber(1, 1_000).default(7),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  RELEASE_TIMEOUT_SECONDS: wholeNumber(1, 86_400).default(1_800),
  MAX_NOTES_PER_USER: limit(1000),
  MAX_LIBRARY_MB: limit(1024),
  MAX_MIRRORS_MB: limit(2048),
  MAX_REQUESTS_AT_ONCE: wholeNumber(1, 100_000).default(100),
  RATE_LIMIT_REQUESTS_PER_MINUTE: limit(600),
  RATE_LIMIT_WRITES_PER_MINUTE: limit(60),
  RATE_LIMIT_UPLOADS_PER_MINUTE: limit(600),
  RATE_LIMIT_CODE_RUNS_PER_MINUTE: limit(30),
  RATE_LIMIT_EXPLAINS_PER_MINUTE: limit(20),
  CODE_EXECUTION_ENABLED: switchedOn,
  CODE_RUNS_PER_USER: wholeNumber(1, 100).default(4),
  CODE_QUEUE_MAX: wholeNumber(1, 10_000).default(40),
  CODE_QUEUE_WAIT_SECONDS: wholeNumber(1, 120).default(30),
  CODE_POOL_SIZE: wholeNumber(1, 16).default(2),
  CODE_SANDBOX_WITHOUT: layerList,
  CODE_SANDBOX_REQUIRE: layerList,
});

type Variables = z.output<typeof variables>;
export type Env = ReturnType<typeof toEnv>;

export class EnvError extends Error {
  override name = "EnvError";
}

export function readEnv(processName: ProcessName, source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = variables.safeParse(given);
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
export function readEnvOrExit(processName: ProcessName): Env {
  try {
    return readEnv(processName, process.env);
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
  const parsed = variables
    .pick({ DATA_KEY: true, DATA_KEY_PREVIOUS: true, SESSION_SECRET: true, DATA_DIR: true })
    .safeParse(given);
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
