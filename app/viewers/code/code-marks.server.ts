import type { CodeMarks } from "#app/viewers/code/large-code.ts";
import { listMarkedLines } from "#app/viewers/code/line-marks.ts";
import { parseLineRange } from "#domain/text/line-range.ts";
import { PART_FIELD } from "#domain/text/text-part.ts";

/** A thing on lines of the text, such as a note; `at` is null if it is on none. */
type OnLines = { at: { line_start: number | null; line_end: number | null } | null };

const listLines = ({ at }: OnLines) =>
  at?.line_start ? listMarkedLines(at.line_start, at.line_end ?? at.line_start) : [];

export function toCodeMarks(request: Request, notes: readonly OnLines[] | null): CodeMarks {
  const range = parseLineRange(new URL(request.url).searchParams.get("L"));
  return { range, noteLines: [...new Set((notes ?? []).flatMap(listLines))] };
}

export function readShownLine(request: Request): number | undefined {
  const { searchParams } = new URL(request.url);
  const range = parseLineRange(searchParams.get("L")) ?? parseLineRange(searchParams.get(PART_FIELD));
  return range?.from;
}
