/** Sets of code points by name, as PCRE means them without Unicode properties: ASCII alone. */
export type Range = [low: number, high: number];

const DIGIT: Range[] = [[48, 57]];
const SPACE: Range[] = [
  [9, 13],
  [32, 32],
];
const UPPER: Range[] = [[65, 90]];
const LOWER: Range[] = [[97, 122]];
const ALPHA: Range[] = [...UPPER, ...LOWER];
const WORD: Range[] = [...DIGIT, ...UPPER, [95, 95], ...LOWER];
const HORIZONTAL: Range[] = [
  [9, 9],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const VERTICAL: Range[] = [
  [10, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
];

/** Everything that the ranges, ascending and apart, leave out. */
export function complement(ranges: Range[]): Range[] {
  const out: Range[] = [];
  let low = 0;
  for (const [from, to] of ranges) {
    if (from > low) out.push([low, from - 1]);
    low = to + 1;
  }
  if (low <= 0x10ffff) out.push([low, 0x10ffff]);
  return out;
}

export const CLASS_ESCAPES: Record<string, Range[]> = {
  d: DIGIT,
  D: complement(DIGIT),
  s: SPACE,
  S: complement(SPACE),
  w: WORD,
  W: complement(WORD),
  h: HORIZONTAL,
  H: complement(HORIZONTAL),
  v: VERTICAL,
  V: complement(VERTICAL),
  N: complement([[10, 10]]),
};

export const POSIX_CLASSES = new Map<string, Range[]>(
  Object.entries({
    alpha: ALPHA,
    lower: LOWER,
    upper: UPPER,
    digit: DIGIT,
    alnum: [...DIGIT, ...ALPHA],
    space: SPACE,
    word: WORD,
    xdigit: [...DIGIT, [65, 70], [97, 102]],
    ascii: [[0, 127]],
    blank: [
      [9, 9],
      [32, 32],
    ],
    cntrl: [
      [0, 31],
      [127, 127],
    ],
    graph: [[33, 126]],
    print: [[32, 126]],
    punct: [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  } satisfies Record<string, Range[]>),
);
