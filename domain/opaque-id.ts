/** Ids are opaque to clients. Ours have this shape; any other id is not found. */
const SHAPE = /^[0-9a-f]{24}$/;

export function isOpaqueId(value: unknown): value is string {
  return typeof value === "string" && SHAPE.test(value);
}
