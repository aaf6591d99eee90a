/**
 * The `If` header of RFC 4918: lists in parentheses, each true where all its conditions are; the header is true where one list is. A
 * list may be tagged with the address that it is about, and is otherwise about that of the request.
 */
type Condition = { not: boolean } & ({ token: string } | { etag: string });
export type ConditionList = { tag: string | null; conditions: readonly Condition[] };

const LISTS_MAX = 100;
const PIECE = /\s*(?:<([^<>\s]*)>|(\()|(\))|\[((?:W\/)?"[^"]*")\]|(Not)(?=[\s<[]))/iy;

/** Null for a header that is not one. */
export function parseIf(header: string): readonly ConditionList[] | null {
  const lists: ConditionList[] = [];
  let tag: string | null = null;
  let open: Condition[] | null = null;
  let not = false;
  let at = 0;
  const text = header.trim();
  while (at < text.length) {
    PIECE.lastIndex = at;
    const [found, coded, opening, closing, etag, negation] = PIECE.exec(text) ?? [];
    if (found === undefined) return null;
    at += found.length;
    if (open === null) {
      if (opening) open = [];
      else if (coded !== undefined) tag = coded;
      else return null;
      continue;
    }
    if (closing) {
      if (open.length === 0 || not || lists.length === LISTS_MAX) return null;
      lists.push({ tag, conditions: open });
      open = null;
    } else if (negation && !not) not = true;
    else if (opening || negation) return null;
    else {
      open.push(coded === undefined ? { not, etag: etag ?? "" } : { not, token: coded });
      not = false;
    }
  }
  return open === null && lists.length > 0 ? lists : null;
}

/** The tokens that a request shows, wherever in the header they stand. */
export function listTokens(lists: readonly ConditionList[]): string[] {
  return lists.flatMap(({ conditions }) =>
    conditions.flatMap((condition) => ("token" in condition ? [condition.token] : [])),
  );
}

/** What holds at an address: the tokens of the locks that cover it, and the tag of what is there. */
export type AddressState = { tokens: readonly string[]; etag: string | null };

/** Whether a header holds; of a tag that leads nowhere nothing holds. */
export function isMet(
  lists: readonly ConditionList[],
  findState: (tag: string | null) => AddressState | null,
): boolean {
  return lists.some(({ tag, conditions }) => {
    const state = findState(tag);
    return conditions.every((condition) => condition.not !== isTrue(condition, state));
  });
}

function isTrue(condition: Condition, state: AddressState | null): boolean {
  if (state === null) return false;
  return "token" in condition ? state.tokens.includes(condition.token) : state.etag === condition.etag;
}
