/** What the server under test is: the facts that decide which tests are meant for it. */

import type { Document, MongoClient } from "mongodb";
import { itemAt, required } from "#domain/required.ts";
import type { Requirement } from "./format.ts";
import { numberOf } from "./values.ts";

export interface Server {
  uri: string;
  /** The runner's own client, whose commands no test observes. */
  client: MongoClient;
  version: string;
  topology: string;
  authenticated: boolean;
  parameters: Document;
}

export async function describeServer(uri: string, client: MongoClient): Promise<Server> {
  const admin = client.db("admin");
  const { version } = await admin.command({ buildInfo: 1 });
  const hello = await admin.command({ hello: 1 });
  return {
    uri,
    client,
    version,
    topology: topologyOf(hello),
    authenticated: client.options.credentials !== undefined,
    parameters: await admin.command({ getParameter: "*" }).catch(() => ({})),
  };
}

function topologyOf(hello: Document): string {
  if (hello.serviceId !== undefined) return "load-balanced";
  if (hello.msg === "isdbgrid") return "sharded";
  return hello.setName === undefined ? "single" : "replicaset";
}

type Unmet = (requirement: Requirement, server: Server) => string | undefined;

/** One row per kind of requirement: the reason why the server does not meet it, or nothing. */
const REQUIREMENTS: Record<keyof Requirement, Unmet> = {
  minServerVersion: ({ minServerVersion: least }, { version }) =>
    least !== undefined && compareVersions(version, least) < 0 ? `for servers from ${least} on` : undefined,
  maxServerVersion: ({ maxServerVersion: most }, { version }) =>
    most !== undefined && compareVersions(version, most) > 0 ? `for servers up to ${most}` : undefined,
  topologies: ({ topologies }, { topology }) =>
    topologies !== undefined && !topologies.some((name) => name.startsWith(topology))
      ? `for the topology ${topologies.join(" or ")}`
      : undefined,
  serverless: ({ serverless }) => (serverless === "require" ? "for Atlas Serverless" : undefined),
  serverParameters: ({ serverParameters: wanted = {} }, { parameters }) => {
    const unmet = Object.keys(wanted).filter((name) => !sameSetting(wanted[name], parameters[name]));
    return unmet.length > 0 ? `for servers with the parameter ${unmet.join(", ")}` : undefined;
  },
  auth: ({ auth }, { authenticated }) =>
    auth !== undefined && auth !== authenticated
      ? `for clients with${auth ? "" : "out"} a password`
      : undefined,
  authMechanism: ({ authMechanism: wanted }, { parameters }) => {
    const offered: string[] = parameters.authenticationMechanisms ?? [];
    return wanted !== undefined && !offered.includes(wanted) ? `for servers with ${wanted}` : undefined;
  },
  csfle: ({ csfle }) => (csfle ? "for client-side encryption" : undefined),
};

/** Why none of the alternatives is met, or nothing. */
export function unmetRequirement(
  alternatives: Requirement[] | undefined,
  server: Server,
): string | undefined {
  if (alternatives === undefined) return undefined;
  const reasons: string[] = [];
  for (const requirement of alternatives) {
    const reason = Object.values(REQUIREMENTS)
      .map((unmet) => unmet(requirement, server))
      .find((unmet) => unmet !== undefined);
    if (reason === undefined) return undefined;
    reasons.push(reason);
  }
  return [...new Set(reasons)].join(", or ");
}

function sameSetting(wanted: unknown, found: unknown): boolean {
  const number = numberOf(wanted);
  return number === undefined ? wanted === found : Number(numberOf(found)) === Number(number);
}

/** Component by component as numbers; a missing component is 0. */
function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => itemAt(version.split("-"), 0).split(".").map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (required(a)[index] ?? 0) - (required(b)[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
