/** A request that names `text/html`, and JSON no more gladly, is a browser's navigation and gets pages; everything else gets JSON. */
export const wantsPage = (accept: string | null | undefined): boolean =>
  (readRanges(accept).get("text/html") ?? 0) > 0 && !wantsJsonByName(accept);

/** Prefers JSON to a page, or takes both and names JSON alone; the JSON twin of a page answers where there is one. */
export function wantsJsonByName(accept: string | null | undefined): boolean {
  const ranges = readRanges(accept);
  const [page, json] = [readQuality(ranges, "text/html"), readQuality(ranges, "application/json")];
  if (json !== page) return json > page;
  return json > 0 && ranges.has("application/json") && !ranges.has("text/html");
}

/** How gladly each range of the header is taken, from 0 to 1. */
function readRanges(accept: string | null | undefined): Map<string, number> {
  const ranges = (accept ?? "").toLowerCase().split(",");
  return new Map(
    ranges.toReversed().map((range) => {
      const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
      const [, quality = "1"] = parameters.join(";").match(/(?:^|;)q=([\d.]+)/) ?? [];
      return [name, Math.min(1, Number(quality) || 0)];
    }),
  );
}

/** By the range that says most about the type. */
const readQuality = (ranges: ReadonlyMap<string, number>, type: string): number =>
  ranges.get(type) ?? ranges.get(type.replace(/[^/]+$/, "*")) ?? ranges.get("*/*") ?? 0;
