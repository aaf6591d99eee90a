import { type Collection, type Document, MongoClient } from "mongodb";
import { COLLECTIONS, type Collections } from "#db/collections.ts";
import { failCommandsOnSocketClose } from "#db/core/driver/closed-sockets.ts";
import { limitCommandTimeOnServer } from "#db/core/driver/command-deadlines.ts";
import { asUntypedCollection } from "#db/core/driver/driver-types.ts";
import { type Disk, watchDisk } from "#db/core/driver/full-disk.ts";
import { retryReadsOnLostCursor } from "#db/core/driver/lost-cursors.ts";
import { delayWritesWhilePaused, NOT_MOVED } from "#db/core/driver/paused-writes.ts";
import { measurePool } from "#db/core/driver/pool-metrics.ts";
import { type Primary, watchPrimary } from "#db/core/driver/primary.ts";
import { retryWritesOfUnknownOutcome } from "#db/core/driver/retryable-errors.ts";
import { limitSilence } from "#db/core/driver/silence-limit.ts";
import { SAVED } from "#db/core/driver/write-concern.ts";
import type { WritingDoc } from "#db/core/installation/documents.ts";
import {
  createWritingPause,
  type WhilePaused,
  WRITING_ALLOWED,
  type WritingPause,
} from "#db/core/installation/writing-pause.ts";
import type { FileDoc } from "#db/files/documents.ts";
import type { TextMemory } from "#db/files/text-memory.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import type { PreferredMemory } from "#db/search/preferred-memory.ts";
import type { Emit } from "#domain/events/events.ts";
import { listKeys } from "#domain/typed-keys.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { ThreadPool } from "#platform/threads/thread-pool.ts";

export type Stores = Collections & { primary: Primary; writing: WritingPause; disk: Disk };

type StorageLimits = { maxLibraryBytes: number; uploadsPerMinute: number };

export type KnownText = { version: number; body: string; file: FileDoc };

/** The changed files that wait to be indexed; see `createIndexQueue`. */
export type IndexQueue = {
  /** A text that the caller passes is not read again, if there is room to hold it. */
  add(ownerId: string, fileIds: readonly string[], text?: KnownText): void;
  /** True if files of this owner wait or are being indexed. */
  has(ownerId: string): boolean;
  /** Finishes what is being indexed, then ends. */
  close(): Promise<void>;
};

/**
 * The first parameter of store functions: the collections, the function that emits events, and the storage limits. The limits
 * are here so that no way of storing can leave them out; commands of an operator have none.
 */
export type Db = Stores & {
  emit: Emit;
  limits?: StorageLimits;
  /** For work that a person's text can make long. Processes without users have none and do it directly. */
  threads?: ThreadPool;
  indexQueue?: IndexQueue;
  /** Caches the texts read last. Only a process that serves people has it. */
  texts?: TextMemory;
  /** Caches the files that searches rank first. Only a process that serves people has it. */
  preferred?: PreferredMemory;
};

export type Connection = {
  collections: Stores;
  /** Untyped access by name, for index work and reports. */
  collection(name: string): Collection<Document>;
  ping(): Promise<void>;
  /** A command for the server as a whole. */
  adminCommand(command: Document): Promise<Document>;
  /** Returns the guarantee that this kind of deployment lacks. */
  findWeakness(): Promise<Weakness | null>;
  close(): Promise<void>;
};

/** A standalone server loses its data with its disk; a set with an arbiter may have no majority of data after one loss. */
type Weakness = "standalone" | "arbiter";

export const WEAKNESSES: Record<Weakness, string> = {
  standalone:
    "MongoDB runs without a replica set: what is saved is lost with that one server, and interrupted writes are not repeated.",
  arbiter:
    "The replica set has an arbiter: after the loss of one data member, saving may stop until it is back.",
};

/** How long a command waits for a primary; an election takes 10 to 12 seconds. */
export const ELECTION_WAIT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 2_500;
const DEFAULT_DATABASE = "codeshelf";

type ConnectOptions = {
  appName: string;
  /** Replaces the database of the address. */
  databaseName?: string;
  /** How long a command waits for the server's answer; shortly before, the server ends the command. Unlimited by default. */
  timeoutMs?: number;
  /** How long the server may be silent before all commands fail. Unlimited by default. */
  silenceMaxMs?: number;
  metrics?: Metrics;
  /** For a process that serves people: what its writes do while a move has paused writing. Without it they do not check. */
  whilePaused?: WhilePaused;
};

/**
 * Opens a client whose writes reach a majority and whose reads go to the primary; the address cannot change that. A write whose
 * answer was lost is repeated under its number before it is reported as failed.
 */
export async function connectMongo(uri: string, options: ConnectOptions): Promise<Connection> {
  const { appName, databaseName, timeoutMs, silenceMaxMs, metrics, whilePaused } = options;
  failCommandsOnSocketClose();
  limitCommandTimeOnServer(INDEXES);
  retryReadsOnLostCursor();
  retryWritesOfUnknownOutcome();
  const client = new MongoClient(uri, {
    appName,
    ignoreUndefined: true,
    retryReads: true,
    retryWrites: true,
    serverSelectionTimeoutMS: ELECTION_WAIT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    ...(timeoutMs === undefined ? {} : { socketTimeoutMS: timeoutMs }),
  });
  if (metrics) measurePool(client, metrics);
  if (silenceMaxMs !== undefined) limitSilence(client, silenceMaxMs);
  const primary = watchPrimary(client);
  await client.connect().catch(async (error) => {
    await client.close();
    throw error;
  });
  const database = client.db(databaseName ?? parseDatabaseName(uri) ?? DEFAULT_DATABASE, {
    readPreference: "primary",
    writeConcern: SAVED,
  });
  const hello = () => database.command({ hello: 1 });
  const disk = watchDisk(client, hello);
  const names = listKeys(COLLECTIONS);
  // The row of each name gives the type of its documents, which `fromEntries` loses.
  const collections = Object.fromEntries(
    names.map((name) => [name, database.collection(name, COLLECTIONS[name].options)]),
  ) as unknown as Collections;
  const writing = whilePaused ? delayAllWritesWhilePaused(collections, whilePaused) : WRITING_ALLOWED;
  return {
    collections: { ...collections, primary, writing, disk },
    collection: (name) => database.collection(name),
    ping: async () => void (await database.command({ ping: 1 })),
    adminCommand: (command) => client.db("admin").command(command),
    findWeakness: async () => toSetupWeakness(await hello()),
    close: async () => {
      writing.close();
      await client.close();
    },
  };
}

function delayAllWritesWhilePaused(collections: Collections, whilePaused: WhilePaused): WritingPause {
  const read = () => collections.installation.findOne<WritingDoc>({ _id: "writing" });
  const writing = createWritingPause(read, whilePaused);
  for (const name of listKeys(COLLECTIONS))
    if (!NOT_MOVED.includes(name)) delayWritesWhilePaused(asUntypedCollection(collections[name]), writing);
  return writing;
}

function toSetupWeakness({ setName, msg, arbiters }: Document): Weakness | null {
  const isRouter = msg === "isdbgrid";
  if (!setName && !isRouter) return "standalone";
  return Array.isArray(arbiters) && arbiters.length > 0 ? "arbiter" : null;
}

function parseDatabaseName(uri: string): string | undefined {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1];
}
