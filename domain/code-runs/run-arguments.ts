/** Splits arguments as typed on one line: words, or texts in single or double quotes. */
export function splitArguments(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
