import { Refusal } from "#domain/refusal.ts";

/** Several files chosen for one operation. */
export const SELECTION_MAX = 100;
const FILE_ID = /^[0-9a-f]{24}$/;

export function isFileId(value: unknown): value is string {
  return typeof value === "string" && FILE_ID.test(value);
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
