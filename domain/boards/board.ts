import { isOpaqueId } from "#domain/opaque-id.ts";
import { Refusal } from "#domain/refusal.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";

/** A board is a surface for notes that belong to no file. Each person has one default board. */
export const BOARD_NAME_MAX = 80;
export const BOARD_NAME_LIMITS = { max: BOARD_NAME_MAX, field: "name" } as const;
export const BOARDS_MAX = 500;
/** The stored name of a default board until its owner renames it; pages show it in the reader's language. */
export const DEFAULT_BOARD_NAME = "My board";

export function isBoardId(value: unknown): value is string {
  return isOpaqueId(value);
}

export function checkBoardName(typed: string): string | Refusal {
  const name = typed.trim();
  const length = codePoints(name);
  const good = length >= 1 && length <= BOARD_NAME_MAX && name.isWellFormed() && !hasControlCharacters(name);
  return good ? name : Refusal("invalid_board_name", BOARD_NAME_LIMITS);
}
