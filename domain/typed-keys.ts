/** Returns the keys with their type, for tables written in code, which have no others. */
export function listKeys<Table extends object>(table: Table): (keyof Table & string)[] {
  // The compiler expects further keys, because an object may have more than its type says.
  return Object.keys(table) as (keyof Table & string)[];
}

export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key, index: number) => Value,
): Record<Key, Value> {
  // The type of `fromEntries` loses the names of the keys.
  return Object.fromEntries(keys.map((key, index) => [key, make(key, index)])) as Record<Key, Value>;
}

export function pickKeys<Table extends object, Key extends keyof Table & string>(
  table: Table,
  keys: readonly Key[],
): Pick<Table, Key> {
  // The type of `mapKeys` has a single type for all values; each key keeps its own.
  return mapKeys(keys, (key) => table[key]) as Pick<Table, Key>;
}

export function hasKey<Table extends object>(table: Table, key: unknown): key is keyof Table & string {
  return typeof key === "string" && Object.hasOwn(table, key);
}

export function hasItem<Item>(list: readonly Item[], value: unknown): value is Item {
  return list.some((item) => item === value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toFields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
