/** The position in a list after which the next page begins: creation time, then id. */
export type ListCursor = { createdAtMs: number; id: string };

const TIME_CURSOR = /^(\d{1,15})\.([0-9a-f]{24})$/;

export function encodeCursor(cursor: ListCursor): string {
  return btoa(`${cursor.createdAtMs}.${cursor.id}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns null for every text that `encodeCursor` did not make. */
export function decodeCursor(text: string): ListCursor | null {
  const decoded = decodeBase64(text);
  const [, createdAtMs, id] = (decoded === null ? null : TIME_CURSOR.exec(decoded)) ?? [];
  if (id === undefined) return null;
  const cursor = { createdAtMs: Number(createdAtMs), id };
  return encodeCursor(cursor) === text ? cursor : null;
}

type NameCursor = { name: string; id: string };

const NAME_CURSOR = /^([0-9a-f]{24})\.(.+)$/s;
const NAME_CURSOR_MAX = 2_000;

export function encodeNameCursor({ name, id }: NameCursor): string {
  const bytes = new TextEncoder().encode(`${id}.${name}`);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns null for every text that `encodeNameCursor` did not make. */
export function decodeNameCursor(text: string): NameCursor | null {
  const decoded = decodeBase64(text, NAME_CURSOR_MAX);
  if (decoded === null) return null;
  const bytes = Uint8Array.from(decoded, (char) => char.charCodeAt(0));
  const [, id, name] = NAME_CURSOR.exec(new TextDecoder().decode(bytes)) ?? [];
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
