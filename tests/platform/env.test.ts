import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { readEnv } from "#platform/env/env.ts";
import { VARIABLES } from "#platform/env/env-variables.ts";
import { generateVapidPair, isVapidPair } from "#platform/outbound/vapid.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { rotateStoredDataKey } from "#platform/secrets/data-keys.ts";
import { DATA_KEY } from "#tests/support/accounts/data-keys.ts";

const addresses = { MONGODB_URI: "mongodb://localhost", DATABASE_URL: "postgres://localhost/x" };
const directory = mkdtempSync(join(tmpdir(), "codeshelf-env-"));
afterAll(() => rmSync(directory, { recursive: true }));
const freshDirectory = () => mkdtempSync(join(directory, "data-"));
const embedded = (more = {}) => ({
  ...addresses,
  CODESHELF_EMBEDDED: "1",
  DATA_DIR: freshDirectory(),
  ...more,
});

describe("the environment in production", () => {
  it("stops the start with everything that is missing or wrong, in one message", () => {
    const start = () => readEnv("web", { NODE_ENV: "production", PORT: "http", ADMIN_USER_IDS: "1,dana" });
    for (const name of [
      ...["MONGODB_URI", "DATABASE_URL", "MESSENGER_BOT_TOKEN", "SESSION_SECRET", "DATA_KEY", "PORT"],
      "ADMIN_USER_IDS",
    ]) {
      expect(start).toThrow(new RegExp(`- ${name} `));
    }
  });

  it("takes layers of the sandbox by name, or all of them, and no others", () => {
    const required = (layers: string) =>
      readEnv("worker", { ...addresses, CODE_SANDBOX_REQUIRE: layers }).codeSandboxRequire;
    expect(required("files, syscalls")).toEqual(["files", "syscalls"]);
    expect(required("all")).toHaveLength(7);
    expect(() => required("walls")).toThrow(/CODE_SANDBOX_REQUIRE/);
  });

  it("takes a provider in place of the bot, whole and over https", () => {
    const oidc = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" };
    const secrets = { SESSION_SECRET: "long enough to be good", DATA_KEY };
    const start = (more: object) =>
      readEnv("web", { NODE_ENV: "production", ...addresses, ...secrets, ...more });
    expect(start(oidc)).toMatchObject({ oidc: { name: "id.example.com" } });
    expect(start({ MESSENGER_BOT_TOKEN: "1:x" })).toMatchObject({ oidc: null });
    expect(() => start({})).toThrow(/MESSENGER_BOT_TOKEN or OIDC_ISSUER is missing/);
    expect(() => start({ ...oidc, OIDC_CLIENT_SECRET: "" })).toThrow(/OIDC_CLIENT_SECRET is missing/);
    expect(() => start({ ...oidc, OIDC_ISSUER: "http://id.example.com" })).toThrow(/OIDC_ISSUER must look/);
    expect(() => start({ ...oidc, PUBLIC_ORIGIN: "https://x.example/path" })).toThrow(/PUBLIC_ORIGIN must/);
  });

  it("treats an empty value as a missing one", () => {
    expect(() => readEnv("web", { NODE_ENV: "production", ...addresses, SESSION_SECRET: "" })).toThrow(
      /SESSION_SECRET is missing/,
    );
  });

  it("requires secrets that cannot be guessed", () => {
    const env = { NODE_ENV: "production", ...addresses, MESSENGER_BOT_TOKEN: "1:x" };
    const short = { ...env, SESSION_SECRET: "short", DATA_KEY: "too short for a data key" };
    expect(() => readEnv("web", short)).toThrow(/SESSION_SECRET must have[\s\S]*DATA_KEY must have/);
    expect(readEnv("web", { ...env, SESSION_SECRET: "long enough to be good", DATA_KEY }).production).toBe(
      true,
    );
  });

  it.each(["web", "worker", "release"] as const)("refuses short secrets everywhere: %s", (name) => {
    const wrong = { SESSION_SECRET: "short", DATA_KEY: "short", DATA_KEY_PREVIOUS: "short" };
    for (const env of [addresses, { ...addresses, NODE_ENV: "production" }, embedded()])
      for (const variable of Object.keys(wrong) as (keyof typeof wrong)[])
        expect(() => readEnv(name, { ...env, [variable]: wrong[variable] })).toThrow(
          new RegExp(`- ${variable} must have at least`),
        );
  });

  it("never offers the local sign-in", () => {
    const env = {
      NODE_ENV: "production",
      ...addresses,
      MESSENGER_BOT_TOKEN: "1:x",
      SESSION_SECRET: "long enough to be good",
      DATA_KEY,
    };
    expect(readEnv("web", env).localSignIn).toBe(false);
  });

  it("asks of the worker only what the worker uses", () => {
    expect(() => readEnv("worker", { NODE_ENV: "production", ...addresses })).toThrow(/DATA_KEY is missing/);
    expect(readEnv("worker", { NODE_ENV: "production", ...addresses, DATA_KEY }).production).toBe(true);
  });
});

describe("the environment of the embedded default", () => {
  it("makes missing secrets, stores them for their owner only, and finds them again", () => {
    const env = embedded({ NODE_ENV: "production" });
    const first = readEnv("web", env);
    const again = readEnv("web", env);
    expect(first.sessionSecret.length).toBeGreaterThan(40);
    expect(again.sessionSecret).toBe(first.sessionSecret);
    expect(again.messengerBotToken).toBe(first.messengerBotToken);
    expect(again.dataKeys()).toEqual(first.dataKeys());
    const secretFiles = readdirSync(join(env.DATA_DIR, "secrets"));
    expect(secretFiles.sort()).toEqual([
      "data-key",
      "messenger-bot-token",
      "session-secret",
      "sign-in-code",
      "vapid-pair",
    ]);
    expect(secretFiles.map((name) => statSync(join(env.DATA_DIR, "secrets", name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600, 0o600, 0o600,
    ]);
  });

  it("shows a new key to a process that runs, beside the one before", () => {
    const env = embedded();
    const [web, worker] = [readEnv("web", env), readEnv("worker", env)];
    const { current } = web.dataKeys();
    expect(worker.dataKeys()).toEqual({ current, previous: null });

    rotateStoredDataKey(env.DATA_DIR);

    expect(worker.dataKeys()).toMatchObject({ previous: current });
    expect(worker.dataKeys().current).not.toBe(current);
    expect(web.dataKeys()).toEqual(worker.dataKeys());
  });

  it("offers the local sign-in only while no bot is configured", () => {
    expect(readEnv("web", embedded())).toMatchObject({ localSignIn: true, adminUserIds: ["1"] });
    expect(readEnv("web", embedded({ MESSENGER_BOT_TOKEN: "7:x" }))).toMatchObject({
      localSignIn: false,
      messengerBotToken: "7:x",
      adminUserIds: [],
    });
  });

  it("listens on this machine alone unless told otherwise", () => {
    expect(readEnv("web", embedded()).host).toBe("127.0.0.1");
    const bot = { MESSENGER_BOT_TOKEN: "7:x" };
    expect(readEnv("web", embedded({ HOST: "0.0.0.0", ...bot })).host).toBe("0.0.0.0");
  });

  it.each(["0.0.0.0", "::", "192.168.1.7", "shelf.example", "127.0.0.1.example", "[::1]"])(
    "refuses to listen on %s with nothing but the local sign-in, and says what to set",
    (HOST) => {
      expect(() => readEnv("web", embedded({ HOST }))).toThrow(
        `HOST ${HOST} lets others reach a server that has only the local sign-in; set MESSENGER_BOT_TOKEN and MESSENGER_BOT_NAME, or OIDC_ISSUER and its client, or HOST to 127.0.0.1`,
      );
      expect(() => readEnv("worker", embedded({ HOST }))).not.toThrow();
      expect(readEnv("web", { ...addresses, HOST }).host).toBe(HOST);
    },
  );

  it.each(["127.0.0.1", "127.8.8.8", "::1", "localhost"])("may listen on %s with it", (HOST) => {
    expect(readEnv("web", embedded({ HOST }))).toMatchObject({ host: HOST, localSignIn: true });
  });

  it("makes a code for the local sign-in alone, keeps it, and makes another when it was removed", () => {
    const env = embedded();
    const { signInCode } = readEnv("web", env);
    expect(signInCode).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
    expect(readEnv("web", env).signInCode).toBe(signInCode);
    rmSync(join(env.DATA_DIR, "secrets", "sign-in-code"));
    expect(readEnv("web", env).signInCode).not.toBe(signInCode);
    expect(readEnv("web", embedded({ MESSENGER_BOT_TOKEN: "7:x" })).signInCode).toBe("");
  });
});

describe("the VAPID keys", () => {
  const pair = generateVapidPair();
  const vapidKeys = (publicKey?: string, privateKey?: string) => ({
    ...addresses,
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  });

  it("are one pair for web and worker of the embedded default", () => {
    const data = embedded();
    const { vapid } = readEnv("web", data);
    expect(isVapidPair(vapid)).toBe(true);
    expect(readEnv("worker", data).vapid).toEqual(vapid);
  });

  it("are taken as given, the private one left out where a process does not send", () => {
    expect(readEnv("worker", vapidKeys(pair.publicKey, pair.privateKey)).vapid).toMatchObject(pair);
    expect(readEnv("web", vapidKeys(pair.publicKey)).vapid).toMatchObject({ ...pair, privateKey: "" });
    expect(readEnv("worker", addresses).vapid).toMatchObject({ publicKey: "", privateKey: "" });
  });

  it("must belong together", () => {
    const stranger = generateVapidPair().publicKey;
    expect(() => readEnv("worker", vapidKeys(stranger, pair.privateKey))).toThrow(/does not belong/);
    expect(() => readEnv("worker", vapidKeys(undefined, pair.privateKey))).toThrow(
      /VAPID_PUBLIC_KEY is missing/,
    );
    expect(() => readEnv("worker", vapidKeys(stranger, "no key"))).toThrow(/does not belong/);
    expect(() => readEnv("worker", { ...addresses, VAPID_SUBJECT: "me" })).toThrow(/VAPID_SUBJECT must look/);
  });
});

describe("a block of variables in the guide of operators", () => {
  const guide = readFileSync(join(PROJECT_ROOT, "docs/operations.md"), "utf8");
  const compose = readFileSync(join(PROJECT_ROOT, "compose.yaml"), "utf8");
  const blocks = [...guide.matchAll(/```\n((?:[A-Z_]+=.*\n)+)```/g)].map(([, block = ""]) => parseEnv(block));
  const providers = blocks.filter((block) => !block.MONGO_PASSWORD);

  it("has no variable that nothing reads", () => {
    const isRead = (name: string) =>
      Object.hasOwn(VARIABLES.shape, name) || compose.includes(`\${${name}:?}`);
    expect(isRead("OIDC_SCOPES")).toBe(false);
    for (const block of blocks) expect(Object.keys(block).filter((name) => !isRead(name))).toEqual([]);
  });

  it.each(["Staff login", "Google", "GitHub"])("starts a server in production with the login %s", (name) => {
    const block = providers.find(({ OIDC_NAME }) => OIDC_NAME === name);
    const secrets = { SESSION_SECRET: "long enough to be good", DATA_KEY };
    const env = readEnv("web", { NODE_ENV: "production", ...addresses, ...secrets, ...required(block) });
    expect(env.oidc).toMatchObject({
      name,
      issuer: block?.OIDC_ISSUER,
      adminGroup: block?.OIDC_ADMIN_GROUP ?? null,
    });
    expect(env.publicOrigin).toBe("https://code.example.com");
    expect(env.signUp).toBe(block?.SIGN_UP ?? "invited");
  });
});
