/**
 * Limits how long a process waits for a silent server, over all commands and retries together. The driver (mongodb 7.8) limits
 * each step separately: server selection, each new connection, each answer and each retry, but not the wait for a connection. A
 * web process checks every second if it may write, so it notices silence even without requests.
 */
import { createRequire } from "node:module";
import { type MongoClient, MongoError, MongoServerError } from "mongodb";

type Operation = { options: { signal?: AbortSignal } };
type Execute = (client: MongoClient, operation: Operation, ...more: unknown[]) => Promise<unknown>;
type ExecuteModule = { executeOperation: Execute };

const operations: ExecuteModule = createRequire(import.meta.url)(
  "mongodb/lib/operations/execute_operation.js",
);
const execute = operations.executeOperation;

/** A command after the limit still waits this long, because its answer would end the silence. */
const LEAST_WAIT_MS = 250;

class ServerSilent extends MongoError {
  override get name() {
    return "ServerSilent";
  }
}

type Silence = { maxMs: number; sinceMs: number | null };
const silences = new WeakMap<MongoClient, Silence>();

const executeWithSilenceLimit: Execute = async (client, operation, ...more) => {
  const silence = silences.get(client);
  if (!silence) return execute(client, operation, ...more);
  silence.sinceMs ??= performance.now();
  const waitMs = Math.max(LEAST_WAIT_MS, silence.sinceMs + silence.maxMs - performance.now());
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new ServerSilent("The server does not answer")), waitMs);
  operation.options.signal = ending.signal;
  try {
    const result = await execute(client, operation, ...more);
    silence.sinceMs = null;
    return result;
  } catch (error) {
    if (error instanceof MongoServerError) silence.sinceMs = null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** Makes commands of this client fail after the server has been silent for this time. */
export function limitSilence(client: MongoClient, maxMs: number): void {
  silences.set(client, { maxMs, sinceMs: null });
  operations.executeOperation = executeWithSilenceLimit;
}
