import { isRefusal } from "#domain/refusal.ts";

/** What was answered, where a refusal is not expected. */
export function orThrow<T>(value: T): Exclude<T, { refused: unknown }> {
  if (isRefusal(value)) throw new Error(JSON.stringify(value));
  return value as Exclude<T, { refused: unknown }>;
}
