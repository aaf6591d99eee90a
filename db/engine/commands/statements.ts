/** The statements of a write command: read, run one after the other, remembered where the write is numbered, and summed up. */

import type { RetryableWrite } from "../retryable-writes.ts";
import { yieldToOthers } from "../search/query.ts";
import { StorageFailure } from "../storage/storage-failure.ts";
import { EngineError, fail } from "../values/errors.ts";
import { asArray, asDoc, type Doc, doc, Int32, toCount, toNumber, type Value } from "../values/values.ts";
import { type Request, readDeadline, strictBooleanField } from "./request.ts";

export const MAX_BATCH = 100_000;

/** Reads the statements of a batch. If one is malformed, the whole command fails and none is run. */
export function readStatements(
  statements: Value | undefined,
  fieldNames: ReadonlySet<string>,
  command: string,
): Doc[] {
  const [, field = ""] = command.split(".");
  return asArray(statements, field).map((statement) => readStatement(statement, fieldNames, command));
}

function readStatement(statement: Value, fieldNames: ReadonlySet<string>, command: string): Doc {
  const fields = asDoc(statement, command);
  for (const name of fields.keys())
    if (!fieldNames.has(name)) fail(40415, `BSON field '${command}.${name}' is an unknown field.`);
  const [query = "", change = ""] = fieldNames;
  for (const name of [query, change])
    if (!fields.has(name)) fail(40414, `BSON field '${command}.${name}' is missing but a required field`);
  asDoc(fields.get(query), `${command}.${query}`);
  for (const option of ["multi", "upsert"]) strictBooleanField(fields, option);
  return fields;
}

/** What one statement came to: `n`, and of an update `nModified` and `upserted`. */
export interface Outcome {
  result: Doc;
  /** Whether anything was written. What wrote nothing is not remembered: doing it again is no harm. */
  wrote: boolean;
}

/** The whole batch: what the statements came to, by their index, and what went wrong. */
export interface Batch {
  results: Map<number, Doc>;
  writeErrors: Value[];
  retriedStmtIds: Value[];
}

export function errorFields(error: EngineError): Record<string, Value | undefined> {
  const { keyPattern, keyValue } = error.context as Record<string, Value | undefined>;
  return { code: new Int32(error.code), errmsg: error.message, keyPattern, keyValue };
}

/**
 * Runs statements in order; a refused one is reported, and ends an ordered batch. A statement that this numbered write
 * has done before is answered from memory. A commit waits for the event loop and what follows a statement here does
 * not, so a statement and its memory are in one transaction.
 */
export async function runStatements<T>(
  request: Request,
  write: RetryableWrite | undefined,
  statements: T[],
  run: (statement: T, index: number) => Outcome | Promise<Outcome>,
): Promise<Batch> {
  if (statements.length === 0 || statements.length > MAX_BATCH)
    fail(16, `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length} operations.`);
  const ordered = strictBooleanField(request.fields, "ordered", true);
  const deadline = readDeadline(request.fields);
  const batch: Batch = { results: new Map(), writeErrors: [], retriedStmtIds: [] };
  let pauseAt = performance.now() + 10;
  for (const [index, statement] of statements.entries()) {
    const before = write?.recall(index);
    if (before) {
      batch.results.set(index, before);
      batch.retriedStmtIds.push(new Int32(index));
      continue;
    }
    try {
      const outcome = () => run(statement, index);
      const { result } = write ? await runAndRemember(write, index, outcome) : await outcome();
      batch.results.set(index, result);
    } catch (error) {
      if (!(error instanceof EngineError) || error instanceof StorageFailure || error.code === 50)
        throw error;
      batch.writeErrors.push(doc({ index: new Int32(index), ...errorFields(error) }));
      if (ordered) break;
    }
    if (performance.now() < pauseAt) continue;
    await yieldToOthers(request.engine.store, deadline);
    pauseAt = performance.now() + 10;
  }
  return batch;
}

/** Runs a statement of a retryable write and remembers its result if it wrote something. */
export async function runAndRemember(
  write: RetryableWrite,
  id: number,
  run: () => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await run();
  if (outcome.wrote) write.remember(id, outcome.result);
  return outcome;
}

export function sumResults({ results }: Batch, field: "n" | "nModified"): Value {
  let sum = 0;
  for (const result of results.values()) sum += toNumber((result.get(field) as Int32 | undefined) ?? 0);
  return toCount(sum);
}

export function toWriteReply(
  fields: Record<string, Value | undefined>,
  { writeErrors, retriedStmtIds }: Batch,
): Doc {
  return doc({
    ...fields,
    writeErrors: writeErrors.length > 0 ? writeErrors : undefined,
    retriedStmtIds: retriedStmtIds.length > 0 ? retriedStmtIds : undefined,
  });
}
