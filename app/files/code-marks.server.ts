import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import type { CodeMarks } from "#app/viewers/large-code.ts";
import { parseLineRange } from "#domain/text/line-range.ts";

/** What a page marks in its code: the lines that its address names and those with notes; `first` is the number of its first line. */
export function marksFor(request: Request, notes: readonly PlacedNote[] | null, first = 1): CodeMarks {
  const range = parseLineRange(new URL(request.url).searchParams.get("L"));
  return { first, range, noteLines: (notes ?? []).flatMap(({ at }) => at?.line_start ?? []) };
}
