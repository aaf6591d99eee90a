/**
 * Describes in one sentence why a database cannot be used and what to do, without a stack and a password. Kinds are recognised
 * by codes and error classes, never only by a server's text.
 */

import { MongoCompatibilityError, MongoError, MongoServerSelectionError } from "mongodb";
import { readError } from "#platform/read-error.ts";

type ConnectionProblem =
  | "wrong_credentials"
  | "missing_rights"
  | "missing_database"
  | "unresolved_host"
  | "certificate_refused"
  | "too_old"
  | "not_that_replica_set"
  | "unreachable";

export type DatabaseName = "MongoDB" | "PostgreSQL";

const VARIABLES: Record<DatabaseName, string> = { MongoDB: "MONGODB_URI", PostgreSQL: "DATABASE_URL" };

const ADVICE: Record<ConnectionProblem, (variable: string) => string> = {
  wrong_credentials: (variable) =>
    `refused the user name or password. Correct them in ${variable}; special characters must be percent-encoded.`,
  missing_rights: (variable) =>
    `does not let this user do what is needed. Give the user of ${variable} read and write access to its database.`,
  missing_database: (variable) =>
    `has no database of that name. Create it, or correct the name in ${variable}.`,
  unresolved_host: (variable) =>
    `cannot be found: its host name does not resolve. Correct it in ${variable}.`,
  certificate_refused: (variable) =>
    `showed a certificate that is not trusted here. Name its authority in ${variable}, or correct the host name.`,
  too_old: () => "is too old. Version 4.4 is the oldest that is supported.",
  not_that_replica_set: (variable) =>
    `is not a member of the replica set that the address names. Correct replicaSet in ${variable}.`,
  unreachable: (variable) =>
    `does not answer. Start it, or correct its address in ${variable}; check the firewall between.`,
};

/** Returns the address without user name, password and options, for logs. */
export function toSafeAddress(uri: string): string {
  const [, scheme, hosts, database = ""] = /^([a-z+]+:\/\/)(?:[^@/]*@)?([^/?]*)(\/[^?]*)?/i.exec(uri) ?? [];
  return scheme === undefined ? "an address that cannot be read" : `${scheme}${hosts}${database}`;
}

export function describeConnectionProblem(error: unknown, database: DatabaseName, uri: string): string {
  const advice = ADVICE[findConnectionProblem(error)](VARIABLES[database]);
  return `${database} at ${toSafeAddress(uri)} ${advice}`;
}

const BY_CODE: Record<string, ConnectionProblem> = {
  // MongoDB
  13: "missing_rights",
  18: "wrong_credentials",
  8000: "wrong_credentials",
  // PostgreSQL
  "28P01": "wrong_credentials",
  28000: "wrong_credentials",
  "3D000": "missing_database",
  42501: "missing_rights",
  // the system
  ENOTFOUND: "unresolved_host",
  EAI_AGAIN: "unresolved_host",
  ESERVFAIL: "unresolved_host",
  ENODATA: "unresolved_host",
  CERT_HAS_EXPIRED: "certificate_refused",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_refused",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate_refused",
  UNABLE_TO_GET_ISSUER_CERT: "certificate_refused",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate_refused",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_refused",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_refused",
};

export function findConnectionProblem(error: unknown): ConnectionProblem {
  for (const cause of listCauses(error)) {
    const { code } = readError(cause);
    const problem = code === undefined ? undefined : BY_CODE[code];
    if (problem) return problem;
    if (cause instanceof MongoCompatibilityError) return "too_old";
    if (cause instanceof MongoServerSelectionError && cause.reason?.type === "ReplicaSetNoPrimary")
      if (cause.reason.servers.size === 0) return "not_that_replica_set";
  }
  return "unreachable";
}

/** True if the database could not be reached, in contrast to a wrong query. */
export function isConnectionProblem(error: unknown): boolean {
  return listCauses(error).some(
    (cause) =>
      BY_CODE[String(readError(cause).code)] !== undefined ||
      cause instanceof MongoServerSelectionError ||
      cause instanceof MongoCompatibilityError ||
      (cause instanceof MongoError && /^(MongoNetwork|ServerSilent)/.test(cause.name)) ||
      /^E(CONN|PIPE|TIMEDOUT|HOST|NET)/.test(String(readError(cause).code)),
  );
}

const CAUSES_MAX = 30;

/** Lists the error, its causes, and the errors of each server of a failed selection. */
function listCauses(error: unknown): object[] {
  const causes: object[] = [];
  const pending: unknown[] = [error];
  while (pending.length > 0 && causes.length < CAUSES_MAX) {
    const next = pending.shift();
    if (typeof next !== "object" || next === null || causes.includes(next)) continue;
    causes.push(next);
    const { cause, errors }: { cause?: unknown; errors?: unknown } = next;
    pending.push(cause, ...(Array.isArray(errors) ? errors : []));
    if (next instanceof MongoServerSelectionError)
      for (const server of next.reason?.servers.values() ?? []) pending.push(server.error);
  }
  return causes;
}
