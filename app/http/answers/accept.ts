/** A request that names `text/html` is a browser's navigation and gets pages; everything else gets JSON. */
export function wantsPage(accept: string | null | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? "");
}

/** Asks for JSON explicitly and not for a page; the JSON twin of a page answers where there is one. */
export function wantsJsonByName(accept: string | null | undefined): boolean {
  return /\bapplication\/json\b/i.test(accept ?? "") && !wantsPage(accept);
}
