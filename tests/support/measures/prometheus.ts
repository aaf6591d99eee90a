import { itemAt, required } from "#domain/required.ts";

/** Parses Prometheus' text format more strictly than Prometheus does: every name has its help and type, once, before its series. */
type Series = { name: string; labels: Record<string, string>; value: number };
type Family = { type: string; help: string; series: Series[] };

const HELP = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/;
const SERIES = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;
const LABEL = /^([a-zA-Z_]\w*)="((?:\\[\\"n]|[^"\\\n])*)"(,|$)/;
const SUFFIX = /_(bucket|sum|count)$/;

export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("The last line has no end");
  const families = new Map<string, Family>();
  let current = "";
  const lines = text.slice(0, -1).split("\n");
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] === "") continue;
    const help = HELP.exec(itemAt(lines, i));
    if (help) {
      const type = required(TYPE.exec(lines[++i] ?? ""));
      if (type?.[1] !== help[1]) throw new Error(`No type after the help of ${help[1]}`);
      if (families.has(required(help[1]))) throw new Error(`${help[1]} is told twice`);
      families.set(required(help[1]), { help: required(help[2]), type: required(type[2]), series: [] });
      current = required(help[1]);
      continue;
    }
    const series = parseSeries(itemAt(lines, i));
    const family = families.get(current);
    const base = family?.type === "histogram" ? series.name.replace(SUFFIX, "") : series.name;
    if (!family || base !== current) throw new Error(`${series.name} stands below ${current}`);
    family.series.push(series);
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function parseSeries(line: string): Series {
  const [, name, inner = "", value] = SERIES.exec(line) ?? [];
  if (!name) throw new Error(`Not a line of metrics: ${line}`);
  const labels: Record<string, string> = {};
  for (let remaining = inner; remaining !== ""; ) {
    const [match, key, text] = LABEL.exec(remaining) ?? [];
    if (!match || required(key) in labels) throw new Error(`Wrong labels: ${line}`);
    labels[required(key)] = required(text).replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c));
    remaining = remaining.slice(match.length);
  }
  return { name, labels, value: Number(value) };
}

function checkFamily(name: string, { type, series }: Family): void {
  const keys = series.map((entry) => `${entry.name} ${JSON.stringify(Object.entries(entry.labels).sort())}`);
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a series twice`);
  if (type === "counter" && series.some(({ value }) => value < 0))
    throw new Error(`${name} counts below zero`);
  if (type === "histogram") checkHistogram(name, series);
}

function checkHistogram(name: string, series: Series[]): void {
  const groups = new Map<string, Series[]>();
  for (const entry of series) {
    const { le: _, ...labels } = entry.labels;
    const key = JSON.stringify(labels);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  for (const [key, group] of groups) {
    const buckets = group.filter((entry) => entry.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Infinity : Number(labels.le)));
    const count = group.find((entry) => entry.name === `${name}_count`)?.value;
    const rising = (values: number[]) =>
      values.every((value, i) => i === 0 || value >= itemAt(values, i - 1));
    if (!rising(bounds) || !rising(buckets.map(({ value }) => value)) || bounds.at(-1) !== Infinity)
      throw new Error(`${name}${key} does not rise to +Inf`);
    if (buckets.at(-1)?.value !== count || !group.some((entry) => entry.name === `${name}_sum`))
      throw new Error(`${name}${key} has no sum or another count than its last bucket`);
  }
}
