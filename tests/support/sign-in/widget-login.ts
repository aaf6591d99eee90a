/** The fields that a bot's login widget would send, written independently of the product's own rule. */
import { createHash, createHmac } from "node:crypto";

export type Fields = Record<string, string | number>;

export function signed(fields: Fields, token: string): Fields & { hash: string } {
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .sort();
  const key = createHash("sha256").update(token).digest();
  return { ...fields, hash: createHmac("sha256", key).update(lines.join("\n")).digest("hex") };
}
