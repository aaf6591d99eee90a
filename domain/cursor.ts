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
  const parts = plain === null ? null : PLAIN.exec(plain);
  if (!parts) return null;
  const cursor = { createdAtMs: Number(parts[1]), id: parts[2] };
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
