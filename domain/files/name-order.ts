/**
 * Where a name stands in a list by names: whatever its case and its accents, and numbers by their value. A store has no such
 * order of its own, so the text that this makes of a name is kept beside it; its bytes are in the order of the list.
 */
export const toNameOrder = (name: string): string =>
  name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[0-9]+/g, toOrderedNumber);

const ZERO = "0".charCodeAt(0);

/** A number with more digits is greater: how many there are stands before them. The first character keeps numbers where digits are. */
function toOrderedNumber(digits: string): string {
  const significant = digits.replace(/^0+(?=.)/, "");
  return `0${String.fromCharCode(ZERO + significant.length)}${significant}`;
}

/** By names as people sort them; among names that stand alike the order is always the same. `getOrder` is for orders that are known already. */
export function sortByName<Item>(
  items: readonly Item[],
  getName: (item: Item) => string,
  getOrder: (item: Item) => string = (item) => toNameOrder(getName(item)),
): Item[] {
  const placed = items.map((item) => ({ item, name: getName(item), order: getOrder(item) }));
  return placed
    .sort((a, b) => compareTexts(a.order, b.order) || compareTexts(a.name, b.name))
    .map(({ item }) => item);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
