/** Texts that can be told from all others, and where they turn up. */
export type Marks = Record<string, string>;

/** Found as it is, as JSON or an address would write it, or inside base64, whatever stands before it there. */
export function writingsOf(mark: string): string[] {
  const bytes = Buffer.from(mark);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and the last characters also hold what stands around the mark.
    const whole = text.slice(
      before === 0 ? 0 : before + 1,
      bytes.length % 3 === (3 - before) % 3 ? undefined : -1,
    );
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const inAddress = encodeURIComponent(mark);
  return [
    mark,
    JSON.stringify(mark).slice(1, -1),
    inAddress,
    inAddress.toLowerCase(),
    inAddress.replaceAll("%20", "+"),
    ...inBase64,
  ];
}

export const isIn = (text: string, mark: string) =>
  writingsOf(mark).some((writing) => text.toLowerCase().includes(writing.toLowerCase()));
