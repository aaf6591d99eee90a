/** A piece of an output; `line` where it names a place in the program itself. */
export type OutputPiece = { start: number; text: string; line: number | null };

const PLACES = /File "([^"\n]{1,400})", line (\d{1,7})/g;

/** Cuts an output at the places in the program that a traceback names. The pieces together are the output. */
export function splitAtPlaces(text: string, programName: string): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: name, 2: line } of text.matchAll(PLACES)) {
    if (name !== programName) continue;
    if (index > end) pieces.push({ start: end, text: text.slice(end, index), line: null });
    pieces.push({ start: index, text: whole, line: Number(line) });
    end = index + whole.length;
  }
  if (end < text.length) pieces.push({ start: end, text: text.slice(end), line: null });
  return pieces;
}
