import { z } from "zod";
import { DAY_SECONDS } from "#platform/durations.ts";
import { SIGN_IN_VARIABLES } from "#platform/env/sign-in-env.ts";
import { LOG_LEVELS } from "#platform/log.ts";
import { SANDBOX_LAYERS } from "#platform/processes/sandbox-layers.ts";
import { DATA_KEY_MIN } from "#platform/secrets/data-keys.ts";

const SESSION_SECRET_MIN = 16;

const createFlagSchema = (byDefault: "0" | "1") =>
  z
    .enum(["0", "1", "true", "false"])
    .default(byDefault)
    .transform((value) => value === "1" || value === "true");
const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(from).max(to));
const limit = (fallback: number) => wholeNumber(1, 1_000_000).default(fallback);
const secret = (min: number) => z.string().min(min, `must have at least ${min} characters`).optional();
const splitList = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
const idList = z
  .string()
  .default("")
  .transform(splitList)
  .pipe(
    z.array(
      z
        .string()
        .regex(/^(\d+|[0-9a-f]{24})$/, "must be ids of the messenger or of accounts, separated by commas"),
    ),
  );
const layerList = z
  .string()
  .default("")
  .transform((text) => splitList(text.trim() === "all" ? SANDBOX_LAYERS.join() : text))
  .pipe(z.array(z.enum(SANDBOX_LAYERS)));
const PROXY_HOPS: Record<string, string> = { true: "1", false: "0" };
const address = (protocols: RegExp, example: string) =>
  z.string().regex(protocols, `must look like ${example}`);

/** Every variable of the processes, with its format and default. */
export const VARIABLES = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).optional(),
  CODESHELF_EMBEDDED: createFlagSchema("0"),
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
  MESSENGER_AUTH_MAX_AGE_SECONDS: limit(DAY_SECONDS),
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
  PUSH_ALLOW_LOOPBACK: createFlagSchema("0"),
  PUSH_MAX_ATTEMPTS: wholeNumber(1, 100).default(5),
  AI_API_URL: address(/^https?:\/\//, "https://…").optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().max(100).optional(),
  AI_ALLOW_LOOPBACK: createFlagSchema("0"),
  CODEHOST_ALLOW_LOCAL: createFlagSchema("0"),
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
  RELEASE_TIMEOUT_SECONDS: wholeNumber(1, DAY_SECONDS).default(1_800),
  MAX_NOTES_PER_USER: limit(1000),
  MAX_LIBRARY_MB: limit(1024),
  MAX_MIRRORS_MB: limit(2048),
  MAX_REQUESTS_AT_ONCE: wholeNumber(1, 100_000).default(100),
  RATE_LIMIT_REQUESTS_PER_MINUTE: limit(600),
  RATE_LIMIT_WRITES_PER_MINUTE: limit(60),
  RATE_LIMIT_UPLOADS_PER_MINUTE: limit(6_000),
  RATE_LIMIT_CODE_RUNS_PER_MINUTE: limit(30),
  RATE_LIMIT_EXPLAINS_PER_MINUTE: limit(20),
  CODE_EXECUTION_ENABLED: createFlagSchema("1"),
  CODE_RUNS_PER_USER: wholeNumber(1, 100).default(4),
  CODE_QUEUE_MAX: wholeNumber(1, 10_000).default(40),
  CODE_QUEUE_WAIT_SECONDS: wholeNumber(1, 120).default(30),
  CODE_POOL_SIZE: wholeNumber(1, 16).default(2),
  CODE_SANDBOX_WITHOUT: layerList,
  CODE_SANDBOX_REQUIRE: layerList,
});

export type Variables = z.output<typeof VARIABLES>;
