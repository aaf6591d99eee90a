import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/**
 * A secret of a person's that has to be used again, kept so that the database alone does not give it away: AES-256-GCM under a
 * key made of the installation's own secret.
 */
const CIPHER = "aes-256-gcm";
const PURPOSE = "codeshelf remote token";
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));

export function sealSecret(secret: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Null where it is damaged or was sealed under another secret. */
export function openSecret(secret: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (secret === "" || bytes.length < IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
