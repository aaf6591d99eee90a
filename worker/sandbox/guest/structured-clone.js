/** structuredClone, which isolates lack. */
globalThis.defineStructuredClone = () => {
  function refuse(value) {
    const error = new Error(`${String(value)} could not be cloned.`);
    error.name = "DataCloneError";
    throw error;
  }

  const COPIES = [
    [Date, (value) => new Date(value.getTime())],
    [RegExp, (value) => new RegExp(value.source, value.flags)],
    [ArrayBuffer, (value) => value.slice(0)],
    [DataView, (value) => new DataView(value.buffer.slice(0), value.byteOffset, value.byteLength)],
    [Boolean, (value) => Object(value.valueOf())],
    [Number, (value) => Object(value.valueOf())],
    [String, (value) => Object(value.valueOf())],
  ];
  const EMPTY = [
    [Map, () => new Map()],
    [Set, () => new Set()],
    [Array, (value) => new Array(value.length)],
    [Error, (value) => Object.assign(new Error(value.message), { name: value.name, stack: value.stack })],
    [Object, () => ({})],
  ];
  const create = (table, value) => table.find(([kind]) => value instanceof kind)?.[1](value);

  function fill(copy, value, clone) {
    if (value instanceof Map) for (const [key, item] of value) copy.set(clone(key), clone(item));
    else if (value instanceof Set) for (const item of value) copy.add(clone(item));
    else if (!(value instanceof Error)) for (const key of Object.keys(value)) copy[key] = clone(value[key]);
    return copy;
  }

  function cloneWith(copies, value) {
    if (typeof value === "function" || typeof value === "symbol") refuse(value);
    if (typeof value !== "object" || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) refuse(value);
    const leaf =
      ArrayBuffer.isView(value) && !(value instanceof DataView) ? value.slice() : create(COPIES, value);
    const copy = leaf ?? create(EMPTY, value) ?? {};
    copies.set(value, copy);
    return leaf ?? fill(copy, value, (item) => cloneWith(copies, item));
  }

  globalThis.structuredClone = (value) => cloneWith(new Map(), value);
};
