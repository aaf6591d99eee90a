/**
 * The servers of one test run, started when the first test file asks for one and stopped after the last: a run that needs
 * no database starts none, and no engine where TEST_MONGODB_URI names a server. Test files are processes of their own, so they ask over a unix socket. What the servers kept
 * is removed after a green run and left for inspection after a red one.
 */

import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { describeConnectionProblem } from "#db/driver/connection-problems.ts";
import { startEngine } from "#db/local/engine.ts";
import { startPostgres } from "#db/local/postgres/postgres.ts";
import type { LocalServer } from "#db/local/processes/server-process.ts";
import { probeMongo } from "#db/open-database.ts";
import { required } from "#domain/required.ts";
import { leash } from "#tests/support/programs/leash.ts";
import { beginDatabaseNames, dropDatabases, givenMongoDB } from "./given-mongodb.ts";

export type ServerName = "engine" | "postgres";

declare module "vitest" {
  export interface ProvidedContext {
    testServers: string;
  }
}

type Started = LocalServer & { address: string };

export default async function startOnDemand(project: TestProject) {
  const prefix = beginDatabaseNames("test");
  if (givenMongoDB) await expectAnswer(givenMongoDB);
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-tests-"));
  const started = new Map<ServerName, Promise<Started>>();
  const starters: Record<ServerName, () => Promise<Started>> = {
    engine: async () => {
      const engine = await startEngine({ ...placeOf(directory, "engine"), sync: "normal" });
      return { ...engine, address: engine.uri };
    },
    postgres: async () => {
      const postgres = await startPostgres({ ...placeOf(directory, "postgres"), durable: false });
      const takeOff = leash(postgres.pid);
      return { ...postgres, address: postgres.url, stop: () => postgres.stop().finally(takeOff) };
    },
  };

  const door = createServer(async (request, response) => {
    const name = request.url?.slice(1) as ServerName;
    if (!started.has(name)) started.set(name, starters[name]());
    try {
      response.end(required(await started.get(name)).address);
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  const socket = join(directory, "servers.sock");
  await new Promise<void>((resolve) => door.listen(socket, resolve));
  project.provide("testServers", socket);

  return async () => {
    for (const server of started.values()) await (await server.catch(() => null))?.stop();
    if (givenMongoDB) await dropDatabases(givenMongoDB, prefix);
    door.close();
    door.closeAllConnections();
    const red = project.vitest.state.getCountOfFailedTests() > 0;
    if (red && started.size > 0) console.log(`What the test servers kept and said: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  };
}

/** Once for all files, each of which would wait half a minute for a server that is not there. */
async function expectAnswer(server: string): Promise<void> {
  await probeMongo(server).catch((cause) => {
    const why = describeConnectionProblem(cause, "MongoDB", server);
    throw new Error(`TEST_MONGODB_URI: ${why}`, { cause });
  });
}

function placeOf(directory: string, name: ServerName) {
  const output = createWriteStream(join(directory, `${name}.log`));
  return { directory: join(directory, name), log: (line: string) => void output.write(`${line}\n`) };
}
