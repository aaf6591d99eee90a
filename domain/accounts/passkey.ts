import { Refusal } from "#domain/refusal.ts";
import { hasControlCharacters } from "#domain/text/text.ts";

/**
 * A passkey is a key pair that a device or a password manager holds for one site. The public key opens the account; whoever holds
 * the other one also proves to their device, by a fingerprint or a code, that it is them.
 */
export const PASSKEY_NAME_MAX = 60;

/** What a credential id may be: standards allow 1,023 bytes, written as base64url. */
export const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

export const passkeyKey = (credentialId: string): string => `passkey:${credentialId}`;

/** The site that passkeys are made for: browsers use one nowhere but there. */
export type PasskeySite = { origin: string; rpId: string };

/** Browsers know passkeys for names over https, and for this machine itself; null for any other address. */
export function toPasskeySite(origin: string): PasskeySite | null {
  const { protocol, hostname } = new URL(origin);
  const isHere = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !isHere) return null;
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  return isAddress ? null : { origin, rpId: hostname };
}

export function checkPasskeyName(typed: string): string | Refusal {
  const name = typed.trim().replace(/\s+/g, " ");
  const isName = name.isWellFormed() && !hasControlCharacters(name) && [...name].length <= PASSKEY_NAME_MAX;
  return isName ? name : Refusal("invalid_passkey_name");
}
