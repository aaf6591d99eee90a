import type { Person } from "#app/page-context.ts";
import { createPseudonym } from "#app/web/session/signed-value.ts";

/**
 * Tells the service worker whose page this is, so that it stores pages of only one person, and none once nobody is logged in. A page whose
 * server could not find out sends no header, and nothing is concluded from that.
 */
const HEADER = "X-Reader";
const NOBODY = "nobody";

export function createReaderMark(secret: string, userId: string): string {
  return createPseudonym(secret, "reader", userId);
}

/**
 * True unless the request names another person. A form that waited for a network names its owner, because someone else may be logged in
 * by now; other requests name nobody.
 */
export function isFromReader({ headers }: Request, secret: string, userId: string): boolean {
  const reader = headers.get(HEADER);
  return reader === null || reader === createReaderMark(secret, userId);
}

export function setReaderHeader(headers: Headers, person: Person | null | undefined): void {
  if (person !== undefined) headers.set(HEADER, person?.reader ?? NOBODY);
}
