import { createECDH, ECDH } from "node:crypto";

/** The key pair that identifies this installation to push services: P-256, raw bytes as url-safe base64. */
export type VapidPair = { publicKey: string; privateKey: string };

const CURVE = "prime256v1";
const PRIVATE_BYTES = 32;

export function generateVapidPair(): VapidPair {
  const keys = createECDH(CURVE);
  keys.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_BYTES);
  const generated = keys.getPrivateKey();
  generated.copy(privateKey, PRIVATE_BYTES - generated.length);
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

/** True for an uncompressed point of the curve, the form that browsers send. */
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
