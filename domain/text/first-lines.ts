type Bounds = { lines: number; characters: number };

/** How a text begins: at most so many lines, each cut to so many characters. */
export function firstLines(text: string, { lines, characters }: Bounds): string {
  return text
    .split("\n", lines)
    .map((line) => [...line.replace(/\r$/, "")].slice(0, characters).join(""))
    .join("\n")
    .trimEnd();
}
