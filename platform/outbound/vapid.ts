import { createECDH, ECDH } from "node:crypto";

/** The key pair by which push services know this installation: P-256, both halves url-safe base64 of the raw bytes. */
export type VapidPair = { publicKey: string; privateKey: string };

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;

export function newVapidPair(): VapidPair {
  const keys = createECDH(CURVE);
  keys.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_BYTES);
  const drawn = keys.getPrivateKey();
  drawn.copy(privateKey, PRIVATE_BYTES - drawn.length);
  return { publicKey: keys.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

export function isVapidPair({ publicKey, privateKey }: VapidPair): boolean {
  try {
    const keys = createECDH(CURVE);
    keys.setPrivateKey(Buffer.from(privateKey, "base64url"));
    return keys.getPublicKey().equals(Buffer.from(publicKey, "base64url"));
  } catch {
    return false;
  }
}

/** Whether this is a point of the curve, uncompressed, as browsers give theirs. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, CURVE);
    return true;
  } catch {
    return false;
  }
}
