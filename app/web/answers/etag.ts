import { createHash } from "node:crypto";

/** Creates a weak ETag, because compression may change the bytes but not the meaning. */
export function createEtag(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest("base64url")}"`;
}

export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const stripWeakness = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch
    .split(",")
    .some((tag) => tag.trim() === "*" || stripWeakness(tag) === stripWeakness(etag));
}
