const STEPS = [
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

export function sizeText(bytes: number): string {
  const [unit, size] = STEPS.find(([, step]) => bytes >= step) ?? ["B", 1];
  return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
}
