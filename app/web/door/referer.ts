import { sameSitePath } from "#domain/same-site-path.ts";

/** Returns the path of our page that sent the form; only our pages may post to us. */
export function readRefererPath(request: Request, fallback: string): string {
  const referer = request.headers.get("Referer");
  if (!referer || !URL.canParse(referer)) return fallback;
  const { pathname, search } = new URL(referer);
  return sameSitePath(pathname + search, fallback);
}

export function readPageBefore(request: Request, fallback: string): string {
  const { pathname, searchParams } = new URL(request.url);
  const before = sameSitePath(searchParams.get("next"), "") || readRefererPath(request, fallback);
  return before.startsWith(pathname) ? fallback : before;
}
