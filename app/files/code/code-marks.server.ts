import { listMarkedLines } from "#app/notes/line-notes.ts";
import type { PlacedNote } from "#app/notes/note-anchor.tsx";
import type { CodeMarks } from "#app/viewers/code/large-code.ts";
import { parseLineRange } from "#domain/text/line-range.ts";
import { PART_FIELD } from "#domain/text/text-part.ts";

const listLines = ({ at }: PlacedNote) =>
  at?.line_start ? listMarkedLines(at.line_start, at.line_end ?? at.line_start) : [];

/** The lines to mark in code: those that the address names and those with notes. */
export function findMarks(request: Request, notes: readonly PlacedNote[] | null): CodeMarks {
  const range = parseLineRange(new URL(request.url).searchParams.get("L"));
  return { range, noteLines: [...new Set((notes ?? []).flatMap(listLines))] };
}

/** The line whose part of a long text the address asks for: the first marked line, or the first line of the part. */
export function readShownLine(request: Request): number | undefined {
  const { searchParams } = new URL(request.url);
  const range = parseLineRange(searchParams.get("L")) ?? parseLineRange(searchParams.get(PART_FIELD));
  return range?.from;
}
