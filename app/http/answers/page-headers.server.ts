/** Headers that a page takes over from its loader or its action; a route exports one of these as its `headers`. */
type GivenHeaders = { loaderHeaders: Headers; actionHeaders: Headers };

/** The page is asked for again by itself where its loader says so. */
export function passRefreshHeader({ loaderHeaders }: Pick<GivenHeaders, "loaderHeaders">): Headers {
  const refresh = loaderHeaders.get("Refresh");
  return new Headers(refresh ? { Refresh: refresh } : {});
}

/** What an action answers with where its page shows a secret once: no browser keeps it. */
export const SECRET_HEADERS = { "Cache-Control": "no-store" };

export function passSecretHeaders({ actionHeaders }: Pick<GivenHeaders, "actionHeaders">): Headers {
  return new Headers({ "Cache-Control": actionHeaders.get("Cache-Control") ?? "private, no-cache" });
}
