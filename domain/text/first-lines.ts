type Bounds = { lines: number; characters: number };

export function firstLines(text: string, { lines, characters }: Bounds): string {
  return text
    .split("\n", lines)
    .map((line) => [...line.replace(/\r$/, "")].slice(0, characters).join(""))
    .join("\n")
    .trimEnd();
}
