/** Splits items that are too many for one call of the driver. */
export function* splitIntoPortions<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let offset = 0; offset < items.length; offset += size) yield items.slice(offset, offset + size);
}
