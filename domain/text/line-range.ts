/** A range of lines as written in addresses: `4`, `4-8`, `L4-L8`. The ends may be in either order. */
export type LineRange = { from: number; to: number };

const LINE_RANGE = /^L?(\d{1,7})(?:-L?(\d{1,7}))?$/;

export function parseLineRange(text: string | null): LineRange | null {
  const match = LINE_RANGE.exec(text ?? "");
  if (!match) return null;
  const [first, second] = [Number(match[1]), Number(match[2] ?? match[1])];
  return { from: Math.min(first, second), to: Math.max(first, second) };
}

export function formatRange({ from, to }: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
