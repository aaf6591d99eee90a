import { createHash } from "node:crypto";

/** Digests a random secret for storage: it can be compared but not read. */
export const digestSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
