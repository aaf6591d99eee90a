export const SAME_SITE_PATH_MAX = 2048;

/** Addresses that sign in or out: continuing there would undo the sign-in, or begin it again. */
const SIGNING = /^\/(login|logout|auth)(\/|$)/i;

/** Returns the path to continue at after signing in: on this site, and not one that signs in or out. */
export function pathAfterSignIn(path: unknown, fallback: string): string {
  const samePath = sameSitePath(path, "");
  return samePath === "" || SIGNING.test(decodePath(samePath)) ? fallback : samePath;
}

/** Decodes the path as the routes do; a path that cannot be decoded matches no route. */
function decodePath(path: string): string {
  const [pathname = ""] = path.split(/[?#]/);
  try {
    return decodeURIComponent(pathname).replace(/\/{2,}/g, "/");
  } catch {
    return pathname;
  }
}

/**
 * Returns the path, or the fallback for anything that could lead to another site. Only paths that a browser resolves to our own
 * origin pass: `//host`, `/\host`, schemes and control characters do not.
 */
export function sameSitePath(path: unknown, fallback: string): string {
  if (typeof path !== "string" || path.length > SAME_SITE_PATH_MAX || !path.startsWith("/")) return fallback;
  if (/[\\\p{Cc}]/u.test(path)) return fallback;
  const base = "http://here.invalid";
  const url = URL.canParse(path, base) ? new URL(path, base) : null;
  const isSameSite = url?.origin === base && !url.pathname.startsWith("//");
  return isSameSite ? url.pathname + url.search + url.hash : fallback;
}
