/** Whether dark or light text is readable on a custom colour. One of the two always has a contrast of more than 4.5 to 1. */
type Ink = "dark" | "light";

export function inkOn(color: string): Ink | null {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? [];
  if (r === undefined || g === undefined || b === undefined) return null;
  const paper = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const onDark = (paper + 0.05) / 0.05;
  const onLight = 1.05 / (paper + 0.05);
  return onDark >= onLight ? "dark" : "light";
}

function linear(channel: string): number {
  const share = Number.parseInt(channel, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
