export const SAME_SITE_PATH_MAX = 2048;

/** Addresses that sign in or out: going on to them would undo the sign-in, or begin it again. */
const SIGNING = /^\/(login|logout|auth)(\/|$)/i;

/** The path to go to after signing in: a same-site path that does not itself sign anybody in or out. */
export function pathAfterSignIn(path: unknown, fallback: string): string {
  const stays = sameSitePath(path, "");
  return stays === "" || SIGNING.test(decodedPath(stays)) ? fallback : stays;
}

/** As the routes read it, which decode a path; one that cannot be decoded leads to none of them. */
function decodedPath(path: string): string {
  const [pathname = ""] = path.split(/[?#]/);
  try {
    return decodeURIComponent(pathname).replace(/\/{2,}/g, "/");
  } catch {
    return pathname;
  }
}

/**
 * The path to go to next, or the fallback for anything that could lead to another site. Only a path that a
 * browser resolves to our own origin passes: `//host`, `/\host`, schemes and control characters do not.
 */
export function sameSitePath(path: unknown, fallback: string): string {
  if (typeof path !== "string" || path.length > SAME_SITE_PATH_MAX || !path.startsWith("/")) return fallback;
  if (/[\\\p{Cc}]/u.test(path)) return fallback;
  const here = "http://here.invalid";
  const url = URL.canParse(path, here) ? new URL(path, here) : null;
  const stays = url?.origin === here && !url.pathname.startsWith("//");
  return stays ? url.pathname + url.search + url.hash : fallback;
}
