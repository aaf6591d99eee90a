/** Unique texts, and the search for them. */
export type Marks = Record<string, string>;

/** Matches a mark as it is, as in JSON or an address, or inside base64 at any offset. */
export function listWritings(mark: string): string[] {
  const bytes = Buffer.from(mark);
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and the last characters depend on the text around the mark.
    const unambiguous = text.slice(
      before === 0 ? 0 : before + 1,
      bytes.length % 3 === (3 - before) % 3 ? undefined : -1,
    );
    return [unambiguous, unambiguous.replaceAll("+", "-").replaceAll("/", "_")];
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
  listWritings(mark).some((writing) => text.toLowerCase().includes(writing.toLowerCase()));
