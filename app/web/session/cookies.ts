type CookieOptions = { maxAgeSeconds: number; secure: boolean; httpOnly?: boolean; path?: string };

/** Keeps the first value of each name, because browsers send the most specific path first. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

type CookieScope = { secure: boolean; path?: string };

/**
 * A cookie's name on the wire. Over https its prefix makes browsers reject a cookie of this name from another host or without https, so no
 * other site of the same domain can set one of ours.
 */
export function toCookieName(name: string, { secure, path = "/" }: CookieScope): string {
  if (!secure) return name;
  return path === "/" ? `__Host-${name}` : `__Secure-${name}`;
}

/** Values are ours and need no escaping: base64url, digits, dots and names of settings. */
export function toCookieHeader(name: string, value: string, options: CookieOptions): string {
  const parts = [
    `${toCookieName(name, options)}=${value}`,
    `Path=${options.path ?? "/"}`,
    `Max-Age=${options.maxAgeSeconds}`,
    "SameSite=Lax",
  ];
  if (options.httpOnly !== false) parts.push("HttpOnly");
  if (options.secure) parts.push("Secure");
  return parts.join("; ");
}
