import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { DataKeys } from "#platform/secrets/data-keys.ts";

/**
 * A secret of a person's that has to be used again, kept so that the database alone does not give it away: AES-256-GCM under a
 * key of the installation. `v1.<key id>.<bytes>` says which key, and the tag covers that too. Earlier editions encrypted under
 * the session secret and wrote the bytes alone.
 */
const CIPHER = "aes-256-gcm";
const VERSION = "v1";
const KEY_ID_CHARACTERS = 12;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSES = { key: "codeshelf sealed secret", sessionSecret: "codeshelf remote token" } as const;

const deriveKey = (secret: string, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));

/** Names a key without telling anything of it. */
export function toKeyId(key: string): string {
  return createHash("sha256").update(`codeshelf key id\n${key}`).digest("hex").slice(0, KEY_ID_CHARACTERS);
}

const headerFor = (key: string) => `${VERSION}.${toKeyId(key)}`;

export function encryptSecret({ current }: DataKeys, text: string): string {
  const header = headerFor(current);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(current, PURPOSES.key), iv);
  cipher.setAAD(Buffer.from(header));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `${header}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64url")}`;
}

/** Null where it is damaged or was encrypted under a key that is not known here. */
export function decryptSecret(keys: DataKeys, encrypted: string): string | null {
  const at = encrypted.lastIndexOf(".");
  if (at < 0) return decrypt(keys.sessionSecret, PURPOSES.sessionSecret, encrypted, null);
  const header = encrypted.slice(0, at);
  const key = [keys.current, keys.previous].find((known) => known !== null && headerFor(known) === header);
  return key ? decrypt(key, PURPOSES.key, encrypted.slice(at + 1), header) : null;
}

/** Whether it was encrypted under the key that is used now. */
export function isEncryptedByCurrentKey({ current }: DataKeys, encrypted: string): boolean {
  return encrypted.startsWith(`${headerFor(current)}.`);
}

function decrypt(secret: string, purpose: string, text: string, header: string | null): string | null {
  const bytes = Buffer.from(text, "base64url");
  if (secret === "" || bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, deriveKey(secret, purpose), bytes.subarray(0, IV_BYTES));
    if (header !== null) decipher.setAAD(Buffer.from(header));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
