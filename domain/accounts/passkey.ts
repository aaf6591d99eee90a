import { Refusal } from "#domain/refusal.ts";
import { hasControlCharacters } from "#domain/text/text.ts";

/**
 * A passkey is a key pair that a device or a password manager keeps for one site. We store the public key. The device releases
 * the private key only after its user proves their identity by a fingerprint or a code.
 */
export const PASSKEY_NAME_MAX = 60;

/** Standards allow ids of 1,023 bytes, written as base64url. */
export const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

export const passkeyKey = (credentialId: string): string => `passkey:${credentialId}`;

/** The site of the passkeys; browsers use a passkey only on its site. */
export type PasskeySite = { origin: string; rpId: string };

/** Returns null where browsers offer no passkeys: without https, except on localhost, and for a bare address. */
export function toPasskeySite(origin: string): PasskeySite | null {
  const { protocol, hostname } = new URL(origin);
  const isLocalhost = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !isLocalhost) return null;
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return isAddress ? null : { origin, rpId: hostname };
}

export function checkPasskeyName(typed: string): string | Refusal {
  const name = typed.trim().replace(/\s+/g, " ");
  const isName = name.isWellFormed() && !hasControlCharacters(name) && [...name].length <= PASSKEY_NAME_MAX;
  return isName ? name : Refusal("invalid_passkey_name");
}
