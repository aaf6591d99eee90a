/** The place in a list after which the next page begins: the creation moment and, among equals, the id. */
export type ListCursor = { createdAtMs: number; id: string };

const PLAIN = /^(\d{1,15})\.([0-9a-f]{24})$/;

export function encodeCursor(cursor: ListCursor): string {
  return btoa(`${cursor.createdAtMs}.${cursor.id}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Null for anything that `encodeCursor` did not make, down to the last character. */
export function decodeCursor(text: string): ListCursor | null {
  const plain = decodeBase64(text);
  const [, createdAtMs, id] = (plain === null ? null : PLAIN.exec(plain)) ?? [];
  if (id === undefined) return null;
  const cursor = { createdAtMs: Number(createdAtMs), id };
  return encodeCursor(cursor) === text ? cursor : null;
}

function decodeBase64(text: string): string | null {
  if (!/^[\w-]{1,80}$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
