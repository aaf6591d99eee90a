type Box = { position: { x: number; y: number }; size: { width: number; height: number } };

const EDGE = 24;
const GAP = 16;
const COLUMNS = 4;

/** The first place on a surface, row by row, where a note of this size covers no other. There is always one below the last note. */
export function freeSpot(notes: readonly Box[], size: Box["size"]): { x: number; y: number } {
  for (let row = 0; ; row += 1)
    for (let column = 0; column < COLUMNS; column += 1) {
      const position = { x: EDGE + column * (size.width + GAP), y: EDGE + row * (size.height + GAP) };
      if (!notes.some((note) => overlap(note, { position, size }))) return position;
    }
}

/** Where a note that comes to a surface stands: at the position it had, unless it would cover another note there. */
export function keepOrFindSpot(notes: readonly Box[], box: Box): Box["position"] {
  return notes.some((note) => overlap(note, box)) ? freeSpot(notes, box.size) : box.position;
}

function overlap(one: Box, other: Box): boolean {
  const apart =
    one.position.x + one.size.width + GAP <= other.position.x ||
    other.position.x + other.size.width + GAP <= one.position.x ||
    one.position.y + one.size.height + GAP <= other.position.y ||
    other.position.y + other.size.height + GAP <= one.position.y;
  return !apart;
}
