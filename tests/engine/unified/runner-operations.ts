/** The format's special operations, those on `testRunner`: assertions about the driver and the server. */
import type { Document, MongoClient } from "mongodb";
import type { Entities } from "./entities.ts";
import { matchEvent } from "./expected-events.ts";
import { Mismatch, show } from "./match.ts";
import type { ObservedClient } from "./observed-client.ts";
import { Unknown } from "./operations.ts";
import { textOf } from "./values.ts";

export interface Runner {
  entities: Entities;
  /** The runner's own client, whose commands no test observes. */
  own: MongoClient;
  /** Names of the fail points that the test has set. */
  failPoints: Set<string>;
}

type Special = (args: Document, runner: Runner) => Promise<void> | void;

const SPECIAL: Record<string, Special> = {
  createEntities: ({ entities: specs }, { entities }) => entities.create(specs),
  failPoint: async ({ client, failPoint }, { entities, failPoints }) => {
    failPoints.add(failPoint.configureFailPoint);
    await entities.get("client", client).client.db("admin").command(failPoint);
  },
  assertCollectionExists: async (args, { own }) => {
    const { databaseName, collectionName } = args;
    demand(await hasCollection(own, args), `there is no collection ${databaseName}.${collectionName}`);
  },
  assertCollectionNotExists: async (args, { own }) => {
    const { databaseName, collectionName } = args;
    demand(!(await hasCollection(own, args)), `there is a collection ${databaseName}.${collectionName}`);
  },
  assertIndexExists: async (args, { own }) => {
    demand(await hasIndex(own, args), `there is no index ${args.indexName}`);
  },
  assertIndexNotExists: async (args, { own }) => {
    demand(!(await hasIndex(own, args)), `there is an index ${args.indexName}`);
  },
  assertNumberConnectionsCheckedOut: ({ client, connections }, { entities }) => {
    const found = entities.get("client", client).connectionsInUse;
    demand(found === connections, `${found} connections are in use instead of ${connections}`);
  },
  assertSameLsidOnLastTwoCommands: ({ client }, { entities }) => {
    const [last, previous] = lastTwoLsids(entities.get("client", client));
    demand(last === previous, `the last two commands have different sessions: ${previous}, ${last}`);
  },
  assertDifferentLsidOnLastTwoCommands: ({ client }, { entities }) => {
    const [last, previous] = lastTwoLsids(entities.get("client", client));
    demand(last !== previous, `the last two commands have the same session ${last}`);
  },
  assertSessionDirty: ({ session }, { entities }) =>
    demand(isDirty(entities, session), "the session is not dirty"),
  assertSessionNotDirty: ({ session }, { entities }) =>
    demand(!isDirty(entities, session), "the session is dirty"),
  assertEventCount: ({ client, event, count }, { entities }) => {
    const found = countOf(entities.get("client", client), event, entities);
    demand(found === count, `${found} events like ${show(event)} instead of ${count}`);
  },
  waitForEvent: async ({ client, event, count }, { entities }) => {
    const observed = entities.get("client", client);
    await until(() => countOf(observed, event, entities) >= count, `${count} events like ${show(event)}`);
  },
};

export async function performSpecial(name: string, args: Document, runner: Runner): Promise<void> {
  const special = SPECIAL[name];
  if (special === undefined) throw new Unknown(`the runner has no special operation ${name}`);
  await special(args, runner);
}

async function hasCollection(own: MongoClient, { databaseName, collectionName }: Document): Promise<boolean> {
  const found = await own.db(databaseName).listCollections({ name: collectionName }).toArray();
  return found.length > 0;
}

async function hasIndex(own: MongoClient, args: Document): Promise<boolean> {
  if (!(await hasCollection(own, args))) return false;
  const indexes = await own.db(args.databaseName).collection(args.collectionName).listIndexes().toArray();
  return indexes.some(({ name }) => name === args.indexName);
}

function lastTwoLsids(observed: ObservedClient): string[] {
  const commands = observed.commands().slice(-2);
  if (commands.length < 2) throw new Mismatch(`only ${commands.length} commands were observed`);
  return commands.map(({ lsid }) => textOf(lsid)).reverse();
}

function isDirty(entities: Entities, session: string): boolean {
  const { serverSession } = entities.get("session", session).session;
  return serverSession?.isDirty === true;
}

function countOf(observed: ObservedClient, expected: Record<string, Document>, entities: Entities): number {
  return observed.events.filter((found) => {
    try {
      matchEvent(expected, found, entities);
      return true;
    } catch (error) {
      if (error instanceof Mismatch) return false;
      throw error;
    }
  }).length;
}

const EVENT_TIMEOUT_MS = 10_000;

async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + EVENT_TIMEOUT_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Mismatch(`within ${EVENT_TIMEOUT_MS} ms there were not ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Mismatch(otherwise);
}
