/** An expected error: where it came from, its code, its labels, its text and what had been done before it. */
import {
  type Document,
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoError,
  MongoOperationTimeoutError,
  MongoServerError,
} from "mongodb";
import type { ExpectedError } from "./format.ts";
import { Mismatch, matchRoot, type References, show } from "./match.ts";

type Check<K extends keyof ExpectedError> = (
  wanted: NonNullable<ExpectedError[K]>,
  error: Error,
  references: References,
) => void;

const CHECKS: { [K in keyof ExpectedError]-?: Check<K> } = {
  isError: () => undefined,
  isClientError: (wanted, error) => {
    demand(
      !(error instanceof MongoServerError) === wanted,
      error,
      wanted ? "of the client" : "of the server",
    );
  },
  isTimeoutError: (wanted, error) => {
    demand(
      error instanceof MongoOperationTimeoutError === wanted,
      error,
      wanted ? "a timeout" : "not a timeout",
    );
  },
  errorContains: (wanted, error) => {
    const texts = messagesOf(error).join("\n").toLowerCase();
    demand(texts.includes(wanted.toLowerCase()), error, `one that says "${wanted}"`);
  },
  errorCode: (wanted, error) => {
    demand(serverError(error)?.code === wanted, error, `one with the code ${wanted}`);
  },
  errorCodeName: (wanted, error) => {
    const name = serverError(error)?.codeName;
    demand(String(name).toLowerCase() === wanted.toLowerCase(), error, `one with the code name ${wanted}`);
  },
  errorLabelsContain: (wanted, error) => {
    for (const label of wanted) demand(hasLabel(error, label), error, `labelled ${label}`);
  },
  errorLabelsOmit: (wanted, error) => {
    for (const label of wanted) demand(!hasLabel(error, label), error, `not labelled ${label}`);
  },
  errorResponse: (wanted, error, references) => {
    matchRoot(wanted, serverError(error)?.errorResponse, "error.errorResponse", references);
  },
  writeErrors: (wanted, error, references) => {
    const found = error instanceof MongoClientBulkWriteError ? Object.fromEntries(error.writeErrors) : {};
    demand(Object.keys(found).join() === Object.keys(wanted).join(), error, `with ${show(wanted)}`);
    for (const [index, writeError] of Object.entries(wanted)) {
      matchRoot(writeError, found[index], `error.writeErrors.${index}`, references);
    }
  },
  writeConcernErrors: (wanted, error, references) => {
    const found = error instanceof MongoClientBulkWriteError ? error.writeConcernErrors : [];
    demand(found.length === wanted.length, error, `with ${wanted.length} write concern errors`);
    for (const [index, concern] of wanted.entries()) {
      matchRoot(concern, found[index], `error.writeConcernErrors[${index}]`, references);
    }
  },
  expectResult: (wanted, error, references) => {
    matchRoot(wanted, resultIn(error), "error.result", references);
  },
};

export function matchError(expected: ExpectedError, error: Error, references: References): void {
  for (const [name, wanted] of Object.entries(expected)) {
    const check = CHECKS[name as keyof ExpectedError] as Check<keyof ExpectedError> | undefined;
    if (check === undefined) throw new Error(`unknown assertion on an error: ${name}`);
    check(wanted, error, references);
  }
}

/** The server's own answer. A client bulk write wraps it. */
function serverError(error: Error): MongoServerError | undefined {
  if (error instanceof MongoClientBulkWriteError && error.cause instanceof MongoServerError)
    return error.cause;
  return error instanceof MongoServerError ? error : undefined;
}

function messagesOf(error: Error): string[] {
  const cause = error.cause instanceof Error ? [error.cause.message] : [];
  const writes = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return [error.message, ...cause, ...writes.map((write) => write.errmsg ?? "")];
}

function hasLabel(error: Error, label: string): boolean {
  return error instanceof MongoError && error.hasErrorLabel(label);
}

function resultIn(error: Error): unknown {
  if (error instanceof MongoClientBulkWriteError) return error.partialResult;
  return (error as Error & { result?: Document }).result;
}

function demand(holds: boolean, error: Error, wanted: string): void {
  if (!holds) throw new Mismatch(`the error is not ${wanted}: ${error.name}: ${error.message}`);
}
