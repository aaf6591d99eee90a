import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Passwords as they are kept: salt and scrypt's answer, by Node's own cost (16 MiB and some 50 ms for each guess). */
const derive = promisify<string, Buffer, number, Buffer>(scrypt);

const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password.normalize("NFKC"), salt, KEY_BYTES);
  return `${salt.toString("base64url")}.${key.toString("base64url")}`;
}

export async function isPassword(given: string, kept: string): Promise<boolean> {
  const [salt, key] = kept.split(".").map((part) => Buffer.from(part, "base64url"));
  if (!salt || key?.length !== KEY_BYTES) return false;
  return timingSafeEqual(key, await derive(given.normalize("NFKC"), salt, KEY_BYTES));
}
