import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Passwords are stored as salt and scrypt hash with Node's default cost (16 MiB and about 50 ms per guess). */
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password.normalize("NFKC"), salt, KEY_BYTES);
  return `${salt.toString("base64url")}.${key.toString("base64url")}`;
}

export async function isCorrectPassword(password: string, storedHash: string): Promise<boolean> {
  const [salt, key] = storedHash.split(".").map((part) => Buffer.from(part, "base64url"));
  if (!salt || key?.length !== KEY_BYTES) return false;
  return timingSafeEqual(key, await derive(password.normalize("NFKC"), salt, KEY_BYTES));
}
