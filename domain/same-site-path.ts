/**
 * The path to go to after signing in, or the fallback for anything that could lead to another site. Only a path that a
 * browser resolves to our own origin passes: `//host`, `/\host`, schemes and control characters do not.
 */
export function sameSitePath(path: unknown, fallback: string): string {
  if (typeof path !== "string" || path.length > 2048 || !path.startsWith("/")) return fallback;
  if (/[\\\p{Cc}]/u.test(path)) return fallback;
  const here = "http://here.invalid";
  const url = URL.canParse(path, here) ? new URL(path, here) : null;
  const stays = url?.origin === here && !url.pathname.startsWith("//");
  return stays ? url.pathname + url.search + url.hash : fallback;
}
