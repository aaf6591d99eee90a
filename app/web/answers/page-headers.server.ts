type RouteHeaders = { loaderHeaders: Headers; actionHeaders: Headers };

/** Passes on the loader's Refresh header, with which the browser reloads the page after a while. */
export function passRefreshHeader({ loaderHeaders }: Pick<RouteHeaders, "loaderHeaders">): Headers {
  const refresh = loaderHeaders.get("Refresh");
  return new Headers(refresh ? { Refresh: refresh } : {});
}

/** For an action whose page shows a secret once: no browser stores it. */
export const SECRET_HEADERS = { "Cache-Control": "no-store" };

export function passSecretHeaders({ actionHeaders }: Pick<RouteHeaders, "actionHeaders">): Headers {
  return new Headers({ "Cache-Control": actionHeaders.get("Cache-Control") ?? "private, no-cache" });
}
