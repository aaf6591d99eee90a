/** Ids are opaque to clients. Ours have this shape; anything else is not found. */
const SHAPE = /^[0-9a-f]{24}$/;

export function isOpaqueId(value: unknown): value is string {
  return typeof value === "string" && SHAPE.test(value);
}
