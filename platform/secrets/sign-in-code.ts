import { randomInt } from "node:crypto";

// No letter or digit that is read as another.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** A code that a person types once in each browser: 59 bits, as `k7qm-2x9d-r4tn`. */
export function newSignInCode(): string {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)];
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** As it is compared: whatever its case, and with or without its dashes. */
export function plainSignInCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "");
}
