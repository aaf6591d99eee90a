/**
 * The servers of one test run: the databases, a whole product and a browser. Each starts when the first test file asks for it and stops
 * after the last. No engine starts if TEST_MONGODB_URI names a server. Test files are separate processes and ask over a unix socket; they
 * also leave there what the last file reads. The databases' data is removed after a green run and left for inspection after a red one.
 */

import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { describeConnectionProblem } from "#db/core/driver/connection-problems.ts";
import { probeMongo } from "#db/core/open-database.ts";
import { startEngine } from "#db/local/engine.ts";
import { startPostgres } from "#db/local/postgres/postgres.ts";
import type { LocalServer } from "#db/local/processes/server-process.ts";
import { required } from "#domain/required.ts";
import { openBrowserServer } from "#tests/support/product/browser.ts";
import { startSharedProduct } from "#tests/support/product/shared-product.ts";
import { leash } from "#tests/support/programs/leash.ts";
import { beginDatabaseNames, dropDatabases, givenMongoDB } from "./given-mongodb.ts";
import { createReleasedQueue } from "./released-queue.ts";

export type ServerName = "engine" | "postgres" | "product" | "browser";

declare module "vitest" {
  export interface ProvidedContext {
    testServers: string;
  }
}

/** `address` is the answer to test files: the server's address, or more as JSON. */
type Started = Pick<LocalServer, "stop"> & { address: string };

export default async function startOnDemand(project: TestProject) {
  const prefix = beginDatabaseNames("test");
  if (givenMongoDB) await expectAnswer(givenMongoDB);
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-tests-"));
  const started = new Map<ServerName, Promise<Started>>();
  const leftBehind: string[] = [];
  const freeDatabases: string[] = [];
  let productLines: readonly string[] = [];
  const starters: Record<ServerName, () => Promise<Started>> = {
    engine: async () => {
      const engine = await startEngine({ ...choosePath(directory, "engine"), sync: "normal" });
      return { ...engine, address: engine.uri };
    },
    postgres: async () => {
      const postgres = await startPostgres({ ...choosePath(directory, "postgres"), durable: false });
      const takeOff = leash(postgres.pid);
      await createReleasedQueue(postgres.url);
      return { ...postgres, address: postgres.url, stop: () => postgres.stop().finally(takeOff) };
    },
    product: async () => {
      const { stop, lines, ...facts } = await startSharedProduct();
      productLines = lines;
      return { address: JSON.stringify(facts), stop };
    },
    browser: async () => {
      const browser = await openBrowserServer();
      return { address: browser.wsEndpoint(), stop: () => browser.close() };
    },
  };

  async function answer(request: IncomingMessage): Promise<string> {
    const name = request.url?.slice(1);
    if (name === "free-database")
      return request.method === "POST"
        ? String(freeDatabases.push(await text(request)))
        : (freeDatabases.pop() ?? "");
    if (request.method === "POST") return String(leftBehind.push(await text(request)));
    if (name === "left-behind") return JSON.stringify(leftBehind);
    if (name === "product-lines") return JSON.stringify(productLines);
    const server = name as ServerName;
    if (!started.has(server)) started.set(server, starters[server]());
    return required(await started.get(server)).address;
  }

  const door = createServer(async (request, response) => {
    try {
      response.end(await answer(request));
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  const socket = join(directory, "servers.sock");
  await new Promise<void>((resolve) => door.listen(socket, resolve));
  project.provide("testServers", socket);

  return async () => {
    // The product and the browser stop before the databases that they use.
    for (const server of [...started.values()].reverse()) await (await server.catch(() => null))?.stop();
    if (givenMongoDB) await dropDatabases(givenMongoDB, prefix);
    door.close();
    door.closeAllConnections();
    const red = project.vitest.state.getCountOfFailedTests() > 0;
    if (red && started.size > 0) console.log(`What the test servers kept and said: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  };
}

/** One check for all files, each of which would wait half a minute for an absent server. */
async function expectAnswer(server: string): Promise<void> {
  await probeMongo(server).catch((cause) => {
    const why = describeConnectionProblem(cause, "MongoDB", server);
    throw new Error(`TEST_MONGODB_URI: ${why}`, { cause });
  });
}

function choosePath(directory: string, name: ServerName) {
  const output = createWriteStream(join(directory, `${name}.log`));
  return { directory: join(directory, name), log: (line: string) => void output.write(`${line}\n`) };
}
