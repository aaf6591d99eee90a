/** Headers that a page takes over from its loader or its action; a route exports one of these as its `headers`. */
type GivenHeaders = { loaderHeaders: Headers; actionHeaders: Headers };

/** Makes the browser load the page again after a while, where the loader says so. */
export function passRefreshHeader({ loaderHeaders }: Pick<GivenHeaders, "loaderHeaders">): Headers {
  const refresh = loaderHeaders.get("Refresh");
  return new Headers(refresh ? { Refresh: refresh } : {});
}

/** Headers of an action whose page shows a secret once, so that no browser stores the page. */
export const SECRET_HEADERS = { "Cache-Control": "no-store" };

export function passSecretHeaders({ actionHeaders }: Pick<GivenHeaders, "actionHeaders">): Headers {
  return new Headers({ "Cache-Control": actionHeaders.get("Cache-Control") ?? "private, no-cache" });
}
