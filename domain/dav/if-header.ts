/**
 * The `If` header of RFC 4918: lists of conditions in parentheses. A list is true if all its conditions are; the header is true
 * if any list is. A list may be tagged with the address that it is about; without a tag it is about the request's address.
 */
type Condition = { not: boolean } & ({ token: string } | { etag: string });
export type ConditionList = { tag: string | null; conditions: readonly Condition[] };

const LISTS_MAX = 100;
const PIECE = /\s*(?:<([^<>\s]*)>|(\()|(\))|\[((?:W\/)?"[^"]*")\]|(Not)(?=[\s<[]))/iy;

/** Returns null for an invalid header. */
export function parseIfHeader(header: string): readonly ConditionList[] | null {
  const lists: ConditionList[] = [];
  let tag: string | null = null;
  let openList: Condition[] | null = null;
  let not = false;
  let offset = 0;
  const text = header.trim();
  while (offset < text.length) {
    PIECE.lastIndex = offset;
    const [piece, coded, opening, closing, etag, negation] = PIECE.exec(text) ?? [];
    if (piece === undefined) return null;
    offset += piece.length;
    if (openList === null) {
      if (opening) openList = [];
      else if (coded !== undefined) tag = coded;
      else return null;
      continue;
    }
    if (closing) {
      if (openList.length === 0 || not || lists.length === LISTS_MAX) return null;
      lists.push({ tag, conditions: openList });
      openList = null;
    } else if (negation && !not) not = true;
    else if (opening || negation) return null;
    else {
      openList.push(coded === undefined ? { not, etag: etag ?? "" } : { not, token: coded });
      not = false;
    }
  }
  return openList === null && lists.length > 0 ? lists : null;
}

export function listTokens(lists: readonly ConditionList[]): string[] {
  return lists.flatMap(({ conditions }) =>
    conditions.flatMap((condition) => ("token" in condition ? [condition.token] : [])),
  );
}

/** The state of an address: the tokens of its covering locks, and its current ETag. */
export type AddressState = { tokens: readonly string[]; etag: string | null };

/** Evaluates a header. Conditions on an address without a resource are false. */
export function isIfHeaderMet(
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
