import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signs values that travel through a browser: the text, a dot and its HMAC-SHA-256. The purpose is part of the signature, so a value signed
 * for one use is invalid for another.
 */
export function signValue(secret: string, purpose: string, text: string): string {
  return `${text}.${computeMac(secret, purpose, text)}`;
}

/** Returns the signed text, or null if the signature is missing or wrong. */
export function readSignedValue(secret: string, purpose: string, signed: string): string | null {
  const dot = signed.lastIndexOf(".");
  if (dot < 0) return null;
  const text = signed.slice(0, dot);
  return isSameText(signed.slice(dot + 1), computeMac(secret, purpose, text)) ? text : null;
}

/** Creates a name that reveals nothing about the text and that nobody else can compute. */
export function createPseudonym(secret: string, purpose: string, text: string): string {
  return computeMac(secret, purpose, text).slice(0, 22);
}

/** Compares in a time that does not depend on how much of a guess is right. */
export function isSameText(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function computeMac(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n${text}`).digest("base64url");
}
