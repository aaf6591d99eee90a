import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";

/** Several files chosen for one operation. */
export const SELECTION_MAX = 100;

export function isFileId(value: unknown): value is string {
  return isOpaqueId(value);
}

/** The chosen ids, each once, in the order given. */
export function checkSelection(value: unknown): string[] | Refusal {
  const given = value === undefined || value === null ? [] : value;
  if (!Array.isArray(given)) return Refusal("invalid_file_id");
  const ids = [...new Set<unknown>(given)];
  if (ids.length === 0) return Refusal("no_files");
  if (ids.length > SELECTION_MAX) return Refusal("too_many_files", { max: SELECTION_MAX });
  return ids.every(isFileId) ? ids : Refusal("invalid_file_id");
}
