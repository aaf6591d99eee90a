/**
 * The unified test format, schema 1.x, as far as this runner reads it. A file names entities (clients,
 * databases, collections, sessions), the data to start from and tests; a test names operations on those
 * entities and what must be seen afterwards: results, errors, the commands sent, the data left behind.
 */
import type { Document } from "mongodb";

export const SUPPORTED_SCHEMA = { major: 1, minor: 28 };

export interface TestFile {
  description: string;
  schemaVersion: string;
  runOnRequirements?: Requirement[];
  createEntities?: EntitySpec[];
  initialData?: CollectionData[];
  tests: TestCase[];
}

export interface TestCase {
  description: string;
  runOnRequirements?: Requirement[];
  skipReason?: string;
  operations: Operation[];
  expectEvents?: ExpectedEvents[];
  outcome?: CollectionData[];
  expectLogMessages?: unknown;
  expectTracingMessages?: unknown;
}

export interface Requirement {
  minServerVersion?: string;
  maxServerVersion?: string;
  topologies?: string[];
  serverless?: string;
  serverParameters?: Document;
  auth?: boolean;
  authMechanism?: string;
  csfle?: unknown;
}

/** Exactly one key: the kind of the entity. */
export type EntitySpec = Record<string, Document>;

export interface CollectionData {
  databaseName: string;
  collectionName: string;
  createOptions?: Document;
  documents: Document[];
}

export interface Operation {
  name: string;
  object: string;
  arguments?: Document;
  expectResult?: unknown;
  expectError?: ExpectedError;
  saveResultAsEntity?: string;
  ignoreResultAndError?: boolean;
}

export interface ExpectedError {
  isError?: boolean;
  isClientError?: boolean;
  isTimeoutError?: boolean;
  errorContains?: string;
  errorCode?: number;
  errorCodeName?: string;
  errorLabelsContain?: string[];
  errorLabelsOmit?: string[];
  errorResponse?: Document;
  writeErrors?: Document;
  writeConcernErrors?: Document[];
  expectResult?: unknown;
}

export interface ExpectedEvents {
  client: string;
  eventType?: "command" | "cmap" | "sdam";
  events: Record<string, Document>[];
  ignoreExtraEvents?: boolean;
}

/** The one key of a single-key object, with its value: how the format spells a tagged union. */
export function only<T>(tagged: Record<string, T>): [string, T] {
  const entries = Object.entries(tagged);
  const [entry] = entries;
  if (entries.length !== 1 || entry === undefined) {
    throw new Error(`expected exactly one key, found [${Object.keys(tagged).join(", ")}]`);
  }
  return entry;
}
