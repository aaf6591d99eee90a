/** The keys of a table, with the type they have there. For tables written in code, which hold no others. */
export function listKeys<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}

/** A table with a value for each key. */
export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>;
}

export function hasKey<Table extends object>(table: Table, key: unknown): key is keyof Table & string {
  return typeof key === "string" && Object.hasOwn(table, key);
}

export function hasItem<Item>(list: readonly Item[], value: unknown): value is Item {
  return list.some((item) => item === value);
}
