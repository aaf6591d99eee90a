/** A range of lines as an address names it: `4`, `4-8`, `L4-L8`. Ends may stand in either order. */
export type LineRange = { from: number; to: number };

const WRITTEN = /^L?(\d{1,7})(?:-L?(\d{1,7}))?$/;

export function parseLineRange(text: string | null): LineRange | null {
  const written = WRITTEN.exec(text ?? "");
  if (!written) return null;
  const [one, other] = [Number(written[1]), Number(written[2] ?? written[1])];
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function writtenRange({ from, to }: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}
