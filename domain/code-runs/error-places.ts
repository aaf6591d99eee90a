/** A piece of an output. `address` is set for a reference to the program or a file beside it, `line` only for the program itself. */
type OutputPiece = { start: number; text: string; line: number | null; address: string | null };

/** The program's name and its file id. The id is null for a program that is no stored file: it has no files beside it. */
export type PlacedProgram = { name: string; fileId: string | null };

/** The references as Python writes them, as V8 writes those of a call, and as V8 writes those of a syntax error. */
const PLACES =
  /File "([^"\n]{1,400})", line (\d{1,7})|^ {4}at (?:[^\n(]{0,200}\()?([^\n()]{1,400}):(\d{1,7}):\d{1,7}|\[([^\n[\]]{1,400}?):(\d{1,7})(?::\d{1,7})?\]$/gm;

/** Splits an output at references to the program and the files beside it. The pieces joined are the output. */
export function splitAtPlaces(text: string, program: PlacedProgram): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let end = 0;
  const add = (to: number, line: number | null, address: string | null) => {
    if (to > end) pieces.push({ start: end, text: text.slice(end, to), line, address });
    end = to;
  };
  for (const { index, 0: match, 1: inPython, 2: l1, 3: inCall, 4: l2, 5: inSyntax, 6: l3 } of text.matchAll(
    PLACES,
  )) {
    const path = inPython ?? inCall ?? inSyntax ?? "";
    const line = Number(l1 ?? l2 ?? l3);
    const address = toPlaceAddress(path, line, program);
    if (address === null) continue;
    add(index, null, null);
    add(index + match.length, path === program.name ? line : null, address);
  }
  add(text.length, null, null);
  return pieces;
}

/** Python's own files have names that begin with a slash; code without a file has a name in brackets. */
function toPlaceAddress(path: string, line: number, { name, fileId }: PlacedProgram): string | null {
  if (path === name) return `#L${line}`;
  if (fileId === null || /^[/<]/.test(path)) return null;
  return `/file/${fileId}?beside=${encodeURIComponent(path)}#L${line}`;
}
