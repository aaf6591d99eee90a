import { z } from "zod";
import { CODE_LIMITS, type CodeRunOrder } from "#domain/code-runs/code-run.ts";
import { Refusal } from "#domain/refusal.ts";
import { orEmptyObject, refuseWith, withRule } from "#domain/schema.ts";
import { utf8Bytes } from "#domain/text/text.ts";

const code = withRule(z.string(refuseWith("missing_code")), (text) => {
  const { max_code_length_bytes: max } = CODE_LIMITS;
  if (text.trim() === "") return Refusal("missing_code");
  return utf8Bytes(text) > max ? Refusal("payload_too_large", { max }) : text;
});

const amount = (field: string, description: string) =>
  z
    .number(refuseWith("invalid_payload", { field, message: `${field} must be a number.` }))
    .optional()
    .meta({ description });

const within = (value: number, from: number, to: number) => Math.min(Math.max(value, from), to);

/** A program to run. What it asks for is brought within the limits. */
export const codeRunOrder = orEmptyObject(
  z.object({
    code,
    timeout: amount("timeout", "Seconds; brought within the limits."),
    memory_limit_mb: amount("memory_limit_mb", "Brought within the limits."),
  }),
).transform(({ code, timeout, memory_limit_mb }): CodeRunOrder => {
  const { min_timeout_seconds, max_timeout_seconds, default_timeout_seconds } = CODE_LIMITS;
  const { min_memory_mb, max_memory_mb, default_memory_mb } = CODE_LIMITS;
  return {
    code,
    timeout: within(timeout ?? default_timeout_seconds, min_timeout_seconds, max_timeout_seconds),
    memory_limit_mb: within(memory_limit_mb ?? default_memory_mb, min_memory_mb, max_memory_mb),
  };
});
