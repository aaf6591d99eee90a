import { createHash } from "node:crypto";

/** What is stored of a random secret that opens something: it can be compared, and the secret cannot be read from it. */
export const digestSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
