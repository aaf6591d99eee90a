/** A request that names `text/html`, and JSON no more gladly, is a browser's navigation and gets pages; everything else gets JSON. */
export function wantsPage(accept: string | null | undefined): boolean {
  const page = readQuality(accept, "text/html");
  return page > 0 && page >= readQuality(accept, "application/json");
}

/** Asks for JSON explicitly and not for a page; the JSON twin of a page answers where there is one. */
export function wantsJsonByName(accept: string | null | undefined): boolean {
  return readQuality(accept, "application/json") > 0 && !wantsPage(accept);
}

/** How gladly a type is taken that the header names, from 0 to 1. */
function readQuality(accept: string | null | undefined, type: string): number {
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const [, quality = "1"] = parameters.join(";").match(/(?:^|;)q=([\d.]+)/) ?? [];
    return Math.min(1, Number(quality) || 0);
  }
  return 0;
}
