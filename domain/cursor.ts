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

/** The place in a list by names. */
type NameCursor = { name: string; id: string };

const NAMED = /^([0-9a-f]{24})\.(.+)$/s;
const NAME_CURSOR_MAX = 2_000;

export function encodeNameCursor({ name, id }: NameCursor): string {
  const bytes = new TextEncoder().encode(`${id}.${name}`);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Null for anything that `encodeNameCursor` did not make. */
export function decodeNameCursor(text: string): NameCursor | null {
  const plain = decodeBase64(text, NAME_CURSOR_MAX);
  if (plain === null) return null;
  const bytes = Uint8Array.from(plain, (char) => char.charCodeAt(0));
  const [, id, name] = NAMED.exec(new TextDecoder().decode(bytes)) ?? [];
  if (id === undefined || name === undefined) return null;
  return encodeNameCursor({ name, id }) === text ? { name, id } : null;
}

const CURSOR_MAX = 80;

function decodeBase64(text: string, max = CURSOR_MAX): string | null {
  if (text.length > max || !/^[\w-]+$/.test(text)) return null;
  try {
    return atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}
