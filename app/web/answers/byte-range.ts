type ByteRange = { from: number; to: number };

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The byte range of a Range header, both ends included. Null stands for the whole content: no header, an unreadable header, or several
 * ranges, which a server may answer with everything.
 */
export function parseByteRange(header: string | null, length: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = ONE_RANGE.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 || length === 0 ? "unsatisfiable" : takeLastBytes(Number(last), length);
  const range = { from: Number(first), to: last === "" ? length - 1 : Math.min(Number(last), length - 1) };
  if (last !== "" && Number(last) < range.from) return null;
  return range.from >= length ? "unsatisfiable" : range;
}

const takeLastBytes = (count: number, length: number): ByteRange => ({
  from: Math.max(length - count, 0),
  to: length - 1,
});
