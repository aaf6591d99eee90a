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

/**
 * As many characters of names in all are put in order as people sort. Thousands of long names are compared by so much of each as is left
 * for it, and then as they are written: the order of a name takes up to 0.3 μs for each of its characters.
 */
const ORDERED_CHARACTERS_MAX = 100_000;

/** By names as people sort them; among names that stand alike the order is always the same. `getOrder` is for orders that are known already. */
export function sortByName<Item>(
  items: readonly Item[],
  getName: (item: Item) => string,
  getOrder?: (item: Item) => string,
): Item[] {
  const characters = items.reduce((sum, item) => sum + getName(item).length, 0);
  const length = characters > ORDERED_CHARACTERS_MAX ? ORDERED_CHARACTERS_MAX / items.length : undefined;
  const toOrder = getOrder ?? ((item: Item) => toNameOrder(getName(item).slice(0, length)));
  const placed = items.map((item) => ({ item, name: getName(item), order: toOrder(item) }));
  return placed
    .sort((a, b) => compareTexts(a.order, b.order) || compareTexts(a.name, b.name))
    .map(({ item }) => item);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
