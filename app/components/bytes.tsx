const STEPS = [
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

/** A size, read from left to right in any text. */
export function Bytes({ count }: { count: number }) {
  const [unit, size] = STEPS.find(([, bytes]) => count >= bytes) ?? ["B", 1];
  return <bdi dir="ltr">{`${Math.round((count / size) * 10) / 10} ${unit}`}</bdi>;
}
