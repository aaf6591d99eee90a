/** The contents of zone-vectors.json: its numbers are in one list each, its names many on a line. */
import vectors from "#tests/domain/reminders/zone-vectors.json" with { type: "json" };

function inThrees(numbers: readonly number[]): [number, number, number][] {
  const threes = Array.from({ length: numbers.length / 3 }, (_, n) => numbers.slice(3 * n, 3 * n + 3));
  return threes as [number, number, number][];
}

export const TZDATA = vectors.tzdata;

/** Zones with equal changes, each change as [moment in minutes since 1970, offset before, offset after]. */
export const ALIKE = vectors.alike.map(({ offset, changes, zones }) => ({
  offset,
  changes: inThrees(changes),
  zones: zones.flatMap((line) => line.split(" ")),
}));

const inSeconds = (seconds: number) => new Date(seconds * 1_000);

export const PRESET_MOMENTS = Object.entries(vectors.presets).flatMap(([zone, numbers]) =>
  inThrees(numbers).map((moments) => {
    const [now, evening, morning] = moments.map(inSeconds) as [Date, Date, Date];
    return { zone, now, evening, morning };
  }),
);
