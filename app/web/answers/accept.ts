/** A browser's navigation names `text/html` and does not prefer JSON; it gets pages. Every other request gets JSON. */
export const wantsPage = (accept: string | null | undefined): boolean =>
  (readRanges(accept).get("text/html") ?? 0) > 0 && !prefersJsonToHtml(accept);

/** True if the header prefers JSON to HTML, or accepts both but names only JSON. The JSON twin of a page then answers. */
export function prefersJsonToHtml(accept: string | null | undefined): boolean {
  const ranges = readRanges(accept);
  const [page, json] = [readQuality(ranges, "text/html"), readQuality(ranges, "application/json")];
  if (json !== page) return json > page;
  return json > 0 && ranges.has("application/json") && !ranges.has("text/html");
}

/** Reads the quality of each range in the header, from 0 to 1. */
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

/** The most specific range decides. */
const readQuality = (ranges: ReadonlyMap<string, number>, type: string): number =>
  ranges.get(type) ?? ranges.get(type.replace(/[^/]+$/, "*")) ?? ranges.get("*/*") ?? 0;
