type Box = { position: { x: number; y: number }; size: { width: number; height: number } };

const EDGE = 24;
const GAP = 16;
const COLUMNS = 4;

/** Finds the first free position, row by row. There is always one below the last note. */
export function freeSpot(notes: readonly Box[], size: Box["size"]): { x: number; y: number } {
  for (let row = 0; ; row += 1)
    for (let column = 0; column < COLUMNS; column += 1) {
      const position = { x: EDGE + column * (size.width + GAP), y: EDGE + row * (size.height + GAP) };
      if (!notes.some((note) => isOverlapping(note, { position, size }))) return position;
    }
}

/** Keeps the position of a note that moves to a surface unless it would cover another note there. */
export function keepOrFindSpot(notes: readonly Box[], box: Box): Box["position"] {
  return notes.some((note) => isOverlapping(note, box)) ? freeSpot(notes, box.size) : box.position;
}

function isOverlapping(a: Box, b: Box): boolean {
  const areApart =
    a.position.x + a.size.width + GAP <= b.position.x ||
    b.position.x + b.size.width + GAP <= a.position.x ||
    a.position.y + a.size.height + GAP <= b.position.y ||
    b.position.y + b.size.height + GAP <= a.position.y;
  return !areApart;
}
