import { toVisibleName } from "#domain/files/visible-name.ts";

/** Content-Disposition for a name in any script: a plain fallback, and by RFC 5987 the name itself, without what cannot be seen. */
export function attachment(fileName: string): string {
  const visible = toVisibleName(fileName);
  const fallback = visible.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(visible).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
}
