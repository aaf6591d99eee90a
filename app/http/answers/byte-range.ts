type ByteRange = { from: number; to: number };

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The bytes that a Range header asks for, both ends included. Null stands for all of them: no header, a header that says nothing,
 * and several ranges at once, which a server may answer whole.
 */
export function parseByteRange(header: string | null, length: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = ONE_RANGE.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 || length === 0 ? "unsatisfiable" : lastBytes(Number(last), length);
  const range = { from: Number(first), to: last === "" ? length - 1 : Math.min(Number(last), length - 1) };
  if (last !== "" && Number(last) < range.from) return null;
  return range.from >= length ? "unsatisfiable" : range;
}

const lastBytes = (count: number, length: number): ByteRange => ({
  from: Math.max(length - count, 0),
  to: length - 1,
});
