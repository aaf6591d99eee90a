import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { DataKeys } from "#platform/secrets/data-keys.ts";

/**
 * Encrypts a person's secret that must be usable again, so that the database alone does not reveal it: AES-256-GCM with a key
 * of the installation. The format `v1.<key id>.<bytes>` names the key, and the tag covers that name.
 */
const CIPHER = "aes-256-gcm";
const VERSION = "v1";
const KEY_ID_CHARACTERS = 12;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = "codeshelf sealed secret";

const deriveKey = (key: string) => new Uint8Array(hkdfSync("sha256", key, "", PURPOSE, 32));

/** Identifies a key without revealing it. */
export function toKeyId(key: string): string {
  return createHash("sha256").update(`codeshelf key id\n${key}`).digest("hex").slice(0, KEY_ID_CHARACTERS);
}

const toHeader = (key: string) => `${VERSION}.${toKeyId(key)}`;

export function encryptSecret({ current }: DataKeys, text: string): string {
  const header = toHeader(current);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(current), iv);
  cipher.setAAD(Buffer.from(header));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${header}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64url")}`;
}

/** Returns null for a damaged value or an unknown key. */
export function decryptSecret(keys: DataKeys, encrypted: string): string | null {
  const dot = encrypted.lastIndexOf(".");
  const header = encrypted.slice(0, Math.max(0, dot));
  const key = [keys.current, keys.previous].find((each) => each !== null && toHeader(each) === header);
  return key ? decrypt(key, encrypted.slice(dot + 1), header) : null;
}

export function isEncryptedByCurrentKey({ current }: DataKeys, encrypted: string): boolean {
  return encrypted.startsWith(`${toHeader(current)}.`);
}

function decrypt(key: string, text: string, header: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, deriveKey(key), bytes.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(header));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
