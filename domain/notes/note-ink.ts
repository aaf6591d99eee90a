/** Chooses readable text on a custom colour. Black or white always has a contrast of more than 4.5 to 1. */
type Ink = "dark" | "light";

export function chooseTextColor(color: string): Ink | null {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? [];
  if (r === undefined || g === undefined || b === undefined) return null;
  const luminance = 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
  const darkTextContrast = (luminance + 0.05) / 0.05;
  const lightTextContrast = 1.05 / (luminance + 0.05);
  return darkTextContrast >= lightTextContrast ? "dark" : "light";
}

function toLinear(channel: string): number {
  const share = Number.parseInt(channel, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
