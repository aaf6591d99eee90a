import { pathToFileURL } from "node:url";
import { prettifyError, ZodError } from "zod";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { readError } from "#platform/read-error.ts";
import { redact } from "#platform/secrets/redact.ts";

const STACK_MAX_CHARS = 8_000;
/** Removed from stacks, because the path of the code is of no use to readers. */
const OWN_FILES = `${pathToFileURL(PROJECT_ROOT).href}/`;

/** Reads the reason that some errors name; others are an "exception". */
export function readFailureReason(thrown: unknown): string {
  const reason = thrown instanceof Error && "failureReason" in thrown ? thrown.failureReason : null;
  return typeof reason === "string" ? reason : "exception";
}

/** Returns an error's message without secrets. Some errors have a message only in their causes. */
export function readRedactedMessage(thrown: unknown): string {
  if (thrown instanceof ZodError) return redact(prettifyError(thrown));
  const { name = "", message } = readError(thrown);
  const causes =
    thrown instanceof AggregateError ? thrown.errors : thrown instanceof Error ? [thrown.cause] : [];
  const words = [message || name, ...causes.filter(Boolean).map((cause) => readError(cause).message)];
  return redact(words.join(": "));
}

export function readRedactedStack(thrown: unknown): string | null {
  const stack = thrown instanceof Error ? redact<Partial<Error>>(thrown).stack : undefined;
  return stack?.replaceAll(OWN_FILES, "").slice(0, STACK_MAX_CHARS) ?? null;
}
