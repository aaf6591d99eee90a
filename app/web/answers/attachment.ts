import { toVisibleName } from "#domain/files/visible-name.ts";

/** Writes the Content-Disposition for a name in any script: an ASCII fallback, and the name by RFC 5987 without invisible characters. */
export function toContentDisposition(fileName: string): string {
  const visible = toVisibleName(fileName);
  const fallback = visible.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(visible).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
