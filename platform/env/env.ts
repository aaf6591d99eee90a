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
import { findHalfOidc, findMissingSignIn, toSignInEnv } from "#platform/env/sign-in-env.ts";
import { generateToken } from "#platform/ids.ts";
import { generateVapidPair, type VapidPair } from "#platform/outbound/vapid.ts";
import { SANDBOX_LAYERS } from "#platform/processes/sandbox-layers.ts";
import { createDataKeyReader } from "#platform/secrets/data-keys.ts";
import { keptSecret } from "#platform/secrets/kept-secret.ts";
import { generateSignInCode } from "#platform/secrets/sign-in-code.ts";

/**
 * The environment, read once when a process starts. Every wrong or missing variable is reported in one message, so that a deployment is
 * corrected once. Production means NODE_ENV=production without the embedded servers: it requires every secret. Otherwise missing secrets
 * are generated and stored in DATA_DIR. The launcher of the embedded servers sets CODESHELF_EMBEDDED=1.
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
// A relative DATA_DIR is relative to the project and not to the current directory.
const PROJECT_ROOT = resolve(import.meta.dirname, "..", "..");

export type Env = ReturnType<typeof toEnv>;

export class EnvError extends Error {
  override name = "EnvError";
}

export function readEnv(processName: ProcessName, source: Record<string, string | undefined>): Env {
  const nonEmpty = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = VARIABLES.safeParse(nonEmpty);
  const isProduction =
    nonEmpty.NODE_ENV === "production" && !["1", "true"].includes(nonEmpty.CODESHELF_EMBEDDED ?? "");
  const required = [...REQUIRED[processName], ...(isProduction ? REQUIRED_IN_PRODUCTION[processName] : [])];
  const problems = [
    ...required.filter((name) => nonEmpty[name] === undefined).map((name) => `${name} is missing`),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...findMismatchedKeys(nonEmpty),
    ...findHalfProvider(nonEmpty),
    ...findMisplacedBackups(nonEmpty),
    ...findHalfOidc(nonEmpty),
    ...(processName === "web" && isProduction ? findMissingSignIn(nonEmpty) : []),
    ...(processName === "web" ? findOpenLocalSignIn(nonEmpty) : []),
    ...(processName === "worker" ? findUnreadableFile(nonEmpty, PROJECT_ROOT) : []),
  ];
  if (!parsed.success || problems.length > 0) throw new EnvError(describeProblems(processName, problems));
  return toEnv(processName, parsed.data, isProduction);
}

function describeProblems(processName: ProcessName | "rotate-key", problems: string[]): string {
  return [
    `The ${processName} process cannot start. Wrong in its environment:`,
    ...problems.map((line) => `  - ${line}`),
  ].join("\n");
}

/** Like `readEnv`, but prints the problems and ends the process. */
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

/** Reads the keys that encrypt people's secrets, for a command that needs nothing else. */
export function readKeyEnv(source: Record<string, string | undefined>) {
  const names = ["DATA_KEY", "DATA_KEY_PREVIOUS", "DATA_DIR"] as const;
  const keyVariables = Object.fromEntries(names.map((name) => [name, source[name] || undefined]));
  const parsed = VARIABLES.pick({
    DATA_KEY: true,
    DATA_KEY_PREVIOUS: true,
    DATA_DIR: true,
  }).safeParse(keyVariables);
  const isMissing = source.NODE_ENV === "production" && source.MONGODB_URI && !keyVariables.DATA_KEY;
  const problems = [
    ...(isMissing ? ["DATA_KEY is missing"] : []),
    ...(parsed.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
  ];
  if (!parsed.success || problems.length > 0) throw new EnvError(describeProblems("rotate-key", problems));
  const dataDir = resolve(PROJECT_ROOT, parsed.data.DATA_DIR);
  const isGenerated = parsed.data.DATA_KEY === undefined;
  return { dataDir, isKept: isGenerated, dataKeys: createDataKeyReader(parsed.data, dataDir) };
}

// The bot token of the local sign-in signs the same fields as the widget of a real bot.
const createLocalBotToken = () => `1:${generateToken()}`;
const LOCAL_ADMIN_ID = "1";

const NO_PAIR: VapidPair = { publicKey: "", privateKey: "" };

/** A web process whose workers send the messages needs only the public key. */
function readVapidPair(variables: Variables, dataDir: string): VapidPair {
  if (variables.VAPID_PUBLIC_KEY !== undefined)
    return { publicKey: variables.VAPID_PUBLIC_KEY, privateKey: variables.VAPID_PRIVATE_KEY ?? "" };
  if (!variables.CODESHELF_EMBEDDED) return NO_PAIR;
  return JSON.parse(keptSecret(dataDir, "vapid-pair", () => JSON.stringify(generateVapidPair())));
}

function toEnv(processName: ProcessName, variables: Variables, isProduction: boolean) {
  const isWeb = processName === "web";
  const isEmbedded = variables.CODESHELF_EMBEDDED;
  const dataDir = resolve(PROJECT_ROOT, variables.DATA_DIR);
  const sessionSecret =
    variables.SESSION_SECRET ?? (isWeb || isEmbedded ? keptSecret(dataDir, "session-secret") : "");
  // With another login method there is no local sign-in.
  const isOnlyMethod = variables.MESSENGER_BOT_TOKEN === undefined && variables.OIDC_ISSUER === undefined;
  const localSignIn = isWeb && isEmbedded && !isProduction && isOnlyMethod;
  return {
    production: isProduction,
    embedded: isEmbedded,
    development: variables.NODE_ENV === "development",
    port: variables.PORT,
    host: variables.HOST ?? (isEmbedded ? "127.0.0.1" : "0.0.0.0"),
    dataDir,
    mongodbUri: variables.MONGODB_URI ?? "",
    databaseUrl: variables.DATABASE_URL ?? "",
    localSignIn,
    signInCode: localSignIn ? keptSecret(dataDir, "sign-in-code", generateSignInCode) : "",
    messengerBotToken: localSignIn
      ? keptSecret(dataDir, "messenger-bot-token", createLocalBotToken)
      : (variables.MESSENGER_BOT_TOKEN ?? ""),
    messengerBotName: localSignIn ? "" : (variables.MESSENGER_BOT_NAME ?? ""),
    ...toSignInEnv(variables, { hasMessenger: localSignIn || variables.MESSENGER_BOT_TOKEN !== undefined }),
    messengerAuthMaxAgeSeconds: variables.MESSENGER_AUTH_MAX_AGE_SECONDS,
    sessionSecret,
    dataKeys: createDataKeyReader(variables, dataDir),
    adminUserIds:
      localSignIn && variables.ADMIN_USER_IDS.length === 0 ? [LOCAL_ADMIN_ID] : variables.ADMIN_USER_IDS,
    premiumUserIds: variables.PREMIUM_USER_IDS,
    trustProxyHops: variables.TRUST_PROXY,
    metricsToken: variables.METRICS_TOKEN,
    alertsToken: variables.ALERTS_TOKEN,
    vapid: { ...readVapidPair(variables, dataDir), subject: variables.VAPID_SUBJECT },
    pushMaxAttempts: variables.PUSH_MAX_ATTEMPTS,
    pushAllowLoopback: variables.PUSH_ALLOW_LOOPBACK,
    explain: {
      provider: variables.AI_API_URL
        ? { url: variables.AI_API_URL, key: variables.AI_API_KEY ?? "", model: variables.AI_MODEL ?? "" }
        : null,
      allowLoopback: variables.AI_ALLOW_LOOPBACK,
    },
    codehost: {
      allowLocal: variables.CODEHOST_ALLOW_LOCAL,
      apiUrl: variables.CODEHOST_API_URL?.replace(/\/+$/, "") ?? null,
      token: variables.CODEHOST_TOKEN ?? null,
      webhookSecret: variables.CODEHOST_WEBHOOK_SECRET ?? null,
      caFile: variables.CODEHOST_CA_FILE ? resolve(PROJECT_ROOT, variables.CODEHOST_CA_FILE) : null,
      syncMinutes: variables.CODEHOST_SYNC_MINUTES,
      syncTimeoutMs: variables.CODEHOST_SYNC_TIMEOUT_SECONDS * 1_000,
      mirrorsMaxBytes: variables.MAX_MIRRORS_MB * MEGABYTE,
      mirrorMaxBytes: variables.CODEHOST_MIRROR_MAX_MB * 1_000_000,
      mirrorMaxFiles: variables.CODEHOST_MIRROR_MAX_FILES,
    },
    backups: variables.BACKUP_DIR
      ? {
          directory: resolve(PROJECT_ROOT, variables.BACKUP_DIR),
          everyMs: variables.BACKUP_EVERY_HOURS * HOUR_MS,
          keep: variables.BACKUP_KEEP,
        }
      : null,
    logLevel: variables.LOG_LEVEL,
    maxNotesPerUser: variables.MAX_NOTES_PER_USER,
    storage: {
      maxLibraryBytes: variables.MAX_LIBRARY_MB * MEGABYTE,
      uploadsPerMinute: variables.RATE_LIMIT_UPLOADS_PER_MINUTE,
    },
    requestsAtOnce: variables.MAX_REQUESTS_AT_ONCE,
    requestsPerMinute: variables.RATE_LIMIT_REQUESTS_PER_MINUTE,
    writesPerMinute: variables.RATE_LIMIT_WRITES_PER_MINUTE,
    codeRunsPerMinute: variables.RATE_LIMIT_CODE_RUNS_PER_MINUTE,
    explainsPerMinute: variables.RATE_LIMIT_EXPLAINS_PER_MINUTE,
    codeExecutionEnabled: variables.CODE_EXECUTION_ENABLED,
    codeRunsPerUser: variables.CODE_RUNS_PER_USER,
    codeQueueMax: variables.CODE_QUEUE_MAX,
    codeQueueWaitSeconds: variables.CODE_QUEUE_WAIT_SECONDS,
    codePoolSize: variables.CODE_POOL_SIZE,
    releaseTimeoutSeconds: variables.RELEASE_TIMEOUT_SECONDS,
    codeSandboxWithout: isEmbedded ? [...SANDBOX_LAYERS] : variables.CODE_SANDBOX_WITHOUT,
    codeSandboxRequire: variables.CODE_SANDBOX_REQUIRE,
  };
}
