const STEPS = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

// Made once: making a format costs more than a whole row of a list.
const format = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function sizeText(bytes: number): string {
  const [unit, size] = STEPS.find(([, step]) => bytes >= step) ?? ["B", 1];
  return `${format.format(bytes / size)} ${unit}`;
}
