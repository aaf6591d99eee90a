import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Values that travel through a browser and must come back as they left: the text, a dot and its HMAC-SHA-256. The purpose
 * is part of what is signed, so a value signed for one use does not open as another.
 */
export function signValue(secret: string, purpose: string, text: string): string {
  return `${text}.${computeMac(secret, purpose, text)}`;
}

/** The text, or null when the signature is missing, damaged or someone else's. */
export function readSignedValue(secret: string, purpose: string, signed: string): string | null {
  const dot = signed.lastIndexOf(".");
  if (dot < 0) return null;
  const text = signed.slice(0, dot);
  return sameText(signed.slice(dot + 1), computeMac(secret, purpose, text)) ? text : null;
}

/** A name for something, that tells nothing about it and that nobody else can make. */
export function pseudonym(secret: string, purpose: string, text: string): string {
  return computeMac(secret, purpose, text).slice(0, 22);
}

/** Comparison whose duration does not tell how much of a guess was right. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function computeMac(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", secret).update(`${purpose}\n${text}`).digest("base64url");
}
