const STEPS = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

// Created once, because creating a format costs more than a row of a list.
const format = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function formatBytes(bytes: number): string {
  const [unit, size] = STEPS.find(([, step]) => bytes >= step) ?? ["B", 1];
  return `${format.format(bytes / size)} ${unit}`;
}

/** Writes a size that is shown beside its limit: in bytes if it is larger but would read the same. */
export function formatBytesBesideLimit(bytes: number, limit: number): string {
  const text = formatBytes(bytes);
  return bytes > limit && text === formatBytes(limit) ? `${format.format(bytes)} B` : text;
}
