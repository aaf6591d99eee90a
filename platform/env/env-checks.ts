import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";
import { isLoopbackName } from "#platform/outbound/loopback.ts";
import { isVapidPair } from "#platform/outbound/vapid.ts";

/** Checks that concern several variables or the machine. Each returns messages about what is wrong. */
type Variables = Record<string, string | undefined>;

/** The two keys for push services must be a pair. */
export function findMismatchedKeys({
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
}: Variables): string[] {
  if (privateKey === undefined) return [];
  if (publicKey === undefined) return ["VAPID_PUBLIC_KEY is missing beside VAPID_PRIVATE_KEY"];
  return isVapidPair({ publicKey, privateKey })
    ? []
    : ["VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY"];
}

const PROVIDER = ["AI_API_URL", "AI_API_KEY", "AI_MODEL"] as const;

/** A model is only used if all three are set. */
export function findHalfProvider(variables: Variables): string[] {
  const missing = PROVIDER.filter((name) => variables[name] === undefined);
  return missing.length === PROVIDER.length
    ? []
    : missing.map((name) => `${name} is missing beside the others of AI_*`);
}

/** The worker backs up only the embedded documents. */
export function findMisplacedBackups({
  BACKUP_DIR: directory,
  CODESHELF_EMBEDDED: embedded = "",
}: Variables): string[] {
  if (directory === undefined || ["1", "true"].includes(embedded)) return [];
  return ["BACKUP_DIR is for the embedded documents; back MongoDB up with its own tools"];
}

/** git reports a missing list of certificates as an untrusted host, so it is checked here. */
export function findUnreadableFile({ CODEHOST_CA_FILE: file }: Variables, projectRoot: string): string[] {
  if (file === undefined) return [];
  try {
    accessSync(resolve(projectRoot, file), constants.R_OK);
    return [];
  } catch {
    return ["CODEHOST_CA_FILE must be a file that can be read"];
  }
}

/** The local sign-in is only for this machine, never for a server that others reach. */
export function findOpenLocalSignIn({
  CODESHELF_EMBEDDED: embedded = "",
  MESSENGER_BOT_TOKEN: botToken,
  OIDC_ISSUER: issuer,
  HOST: host = "localhost",
}: Variables): string[] {
  const isAlone = botToken === undefined && issuer === undefined;
  if (!["1", "true"].includes(embedded) || !isAlone || isLoopbackName(host)) return [];
  return [
    `HOST ${host} lets others reach a server that has only the local sign-in; set MESSENGER_BOT_TOKEN and MESSENGER_BOT_NAME, or OIDC_ISSUER and its client, or HOST to 127.0.0.1`,
  ];
}
