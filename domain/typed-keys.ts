/** The keys of a table, with the type they have there. For tables written in code, which hold no others. */
export function listKeys<Table extends object>(table: Table): (keyof Table & string)[] {
  // The compiler allows for further keys, as an object may have more than its type says.
  return Object.keys(table) as (keyof Table & string)[];
}

/** A table with a value for each key. */
export function mapKeys<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key, index: number) => Value,
): Record<Key, Value> {
  // `fromEntries` forgets the names of its keys.
  return Object.fromEntries(keys.map((key, index) => [key, make(key, index)])) as Record<Key, Value>;
}

/** The values of some keys alone. */
export function pickKeys<Table extends object, Key extends keyof Table & string>(
  table: Table,
  keys: readonly Key[],
): Pick<Table, Key> {
  // Each key keeps its own type of value, which the type of a table with one type of values does not say.
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

/** The fields of something that may be no object, which then has none. */
export function fieldsIn(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
