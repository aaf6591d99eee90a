/** structuredClone, which an isolate does not have of itself. */
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
  const made = (table, value) => table.find(([kind]) => value instanceof kind)?.[1](value);

  function fill(copy, value, clone) {
    if (value instanceof Map) for (const [key, held] of value) copy.set(clone(key), clone(held));
    else if (value instanceof Set) for (const held of value) copy.add(clone(held));
    else if (!(value instanceof Error)) for (const key of Object.keys(value)) copy[key] = clone(value[key]);
    return copy;
  }

  function cloneWith(seen, value) {
    if (typeof value === "function" || typeof value === "symbol") refuse(value);
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return seen.get(value);
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) refuse(value);
    const whole =
      ArrayBuffer.isView(value) && !(value instanceof DataView) ? value.slice() : made(COPIES, value);
    const copy = whole ?? made(EMPTY, value) ?? {};
    seen.set(value, copy);
    return whole ?? fill(copy, value, (held) => cloneWith(seen, held));
  }

  globalThis.structuredClone = (value) => cloneWith(new Map(), value);
};
