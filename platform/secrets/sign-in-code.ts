import { randomInt } from "node:crypto";

// Without letters and digits that look alike.
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** A code that a person types once per browser: 59 bits, such as `k7qm-2x9d-r4tn`. */
export function generateSignInCode(): string {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)];
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** Normalises a code for comparison: case and dashes do not count. */
export function normalizeSignInCode(typed: string): string {
  return typed.toLowerCase().replace(/[\s-]/g, "");
}
