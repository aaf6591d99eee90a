/** Ids are opaque to everyone outside; this is the shape ours have, so that anything else is simply not found. */
const SHAPE = /^[0-9a-f]{24}$/;

export function isOpaqueId(value: unknown): value is string {
  return typeof value === "string" && SHAPE.test(value);
}
