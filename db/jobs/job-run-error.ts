import { pathToFileURL } from "node:url";
import { prettifyError, ZodError } from "zod";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { readError } from "#platform/read-error.ts";
import { redact } from "#platform/secrets/redact.ts";

const STACK_MAX_CHARS = 8_000;
/** Where the code lies is of no use to who reads a stack. */
const OWN_FILES = `${pathToFileURL(PROJECT_ROOT).href}/`;

/** An error may name its reason, for which there are words. */
export function readReason(thrown: unknown): string {
  const named = thrown instanceof Error && "failureReason" in thrown ? thrown.failureReason : null;
  return typeof named === "string" ? named : "exception";
}

/** Why it failed, in words without secrets. Some errors say it only in those that caused them. */
export function readMessage(thrown: unknown): string {
  if (thrown instanceof ZodError) return redact(prettifyError(thrown));
  const { name = "", message } = readError(thrown);
  const causes =
    thrown instanceof AggregateError ? thrown.errors : thrown instanceof Error ? [thrown.cause] : [];
  const words = [message || name, ...causes.filter(Boolean).map((cause) => readError(cause).message)];
  return redact(words.join(": "));
}

export function readStack(thrown: unknown): string | null {
  const stack = thrown instanceof Error ? redact<Partial<Error>>(thrown).stack : undefined;
  return stack?.replaceAll(OWN_FILES, "").slice(0, STACK_MAX_CHARS) ?? null;
}
