const STEPS = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

export function sizeText(bytes: number): string {
  const [unit, size] = STEPS.find(([, step]) => bytes >= step) ?? ["B", 1];
  return `${(bytes / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
