/** A piece of an output; `address` where it names a place in the program or in a file beside it, `line` where it is in the program. */
type OutputPiece = { start: number; text: string; line: number | null; address: string | null };

/** What the program is called, and which file it is; null where it is none, so that nothing is beside it. */
export type PlacedProgram = { name: string; fileId: string | null };

/** As Python names a place, as V8 names one of a call, and one of a syntax error. */
const PLACES =
  /File "([^"\n]{1,400})", line (\d{1,7})|^ {4}at (?:[^\n(]{0,200}\()?([^\n()]{1,400}):(\d{1,7}):\d{1,7}|\[([^\n[\]]{1,400}?):(\d{1,7})(?::\d{1,7})?\]$/gm;

/** Cuts an output at the places in the program, and in the files beside it, that an error names. The pieces together are the output. */
export function splitAtPlaces(text: string, program: PlacedProgram): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let end = 0;
  const add = (to: number, line: number | null, address: string | null) => {
    if (to > end) pieces.push({ start: end, text: text.slice(end, to), line, address });
    end = to;
  };
  for (const { index, 0: whole, 1: inPython, 2: l1, 3: inCall, 4: l2, 5: inSyntax, 6: l3 } of text.matchAll(
    PLACES,
  )) {
    const path = inPython ?? inCall ?? inSyntax ?? "";
    const line = Number(l1 ?? l2 ?? l3);
    const address = addressPlace(path, line, program);
    if (address === null) continue;
    add(index, null, null);
    add(index + whole.length, path === program.name ? line : null, address);
  }
  add(text.length, null, null);
  return pieces;
}

/** Names of Python's own files begin with a slash, those of no file with a bracket. */
function addressPlace(path: string, line: number, { name, fileId }: PlacedProgram): string | null {
  if (path === name) return `#L${line}`;
  if (fileId === null || /^[/<]/.test(path)) return null;
  return `/file/${fileId}?beside=${encodeURIComponent(path)}#L${line}`;
}
