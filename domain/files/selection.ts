import { isOpaqueId } from "#domain/opaque-id.ts";

/** Several files chosen for one operation. */
export const SELECTION_MAX = 100;

export function isFileId(value: unknown): value is string {
  return isOpaqueId(value);
}
