import { isRefusal } from "#domain/refusal.ts";

/** Returns the value, and throws if it is a refusal. */
export function orThrow<T>(value: T): Exclude<T, { refused: unknown }> {
  if (isRefusal(value)) throw new Error(JSON.stringify(value));
  return value as Exclude<T, { refused: unknown }>;
}
