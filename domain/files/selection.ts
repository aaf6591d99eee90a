import { isOpaqueId } from "#domain/opaque-id.ts";

export const SELECTION_MAX = 100;

export function isFileId(value: unknown): value is string {
  return isOpaqueId(value);
}
