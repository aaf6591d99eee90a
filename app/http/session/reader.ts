import { pseudonym } from "#app/http/session/signed-value.ts";
import type { Person } from "#app/page-context.ts";

/**
 * Tells the service worker whose page this is, so that it keeps pages of one person at a time and none once nobody is logged
 * in. A page that could not ask says nothing, and nothing is concluded from it.
 */
const HEADER = "X-Reader";
const NOBODY = "nobody";

export function readerMark(secret: string, userId: string): string {
  return pseudonym(secret, "reader", userId);
}

/** A form that waited for a network says whose it is: by now somebody else may be logged in. Other requests say nothing. */
export function isFromReader({ headers }: Request, secret: string, userId: string): boolean {
  const named = headers.get(HEADER);
  return named === null || named === readerMark(secret, userId);
}

export function setReader(headers: Headers, person: Person | null | undefined): void {
  if (person !== undefined) headers.set(HEADER, person?.reader ?? NOBODY);
}
