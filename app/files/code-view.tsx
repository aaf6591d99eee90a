import { useSearchParams } from "@remix-run/react";
import { hasBidiControls, showBidiControls } from "#app/files/bidi-controls.ts";
import { markLines, numberFrom } from "#app/files/line-range.ts";
import { useText } from "#app/i18n/text.ts";
import { type LineNote, markerFor, markNotes } from "#app/notes/line-notes.ts";
import { usePage } from "#app/page-context.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { LargeCode, PageCode } from "#app/viewers/large-code.ts";
import { type LineRange, parseLineRange } from "#domain/text/line-range.ts";

type CodeProps = { code: PageCode; notes?: readonly LineNote[]; first?: number };

/**
 * Highlighted code with its line numbers, the lines that the address asks for marked, and those that have notes. Of a larger text it is
 * the part that begins at the line `first`.
 */
export function CodeView({ code, notes = [], first = 1 }: CodeProps) {
  const text = useText().file;
  const { largePlace } = usePage();
  const [parameters] = useSearchParams();
  const { large } = code;
  const isReordered = large ? large.isReordered : hasBidiControls(code.html);
  const html = large
    ? placeLarge(largePlace, large, notes)
    : markNotes(markSmall(code.html, first, parseLineRange(parameters.get("L"))), notes);
  return (
    <>
      {isReordered && <Alert caution>{text.bidiControls}</Alert>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll-box code-box" aria-label={text.code} tabIndex={0} dir="ltr">
        <pre className="code">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes everything the file contains */}
          <code dangerouslySetInnerHTML={{ __html: html }} />
        </pre>
      </section>
    </>
  );
}

/** Code that is not large, as pages show it. */
export function markSmall(html: string, first: number, range: LineRange | null): string {
  const numbered = first > 1 ? numberFrom(html, first) : html;
  const visible = showBidiControls(numbered);
  return range ? markLines(visible, range) : visible;
}

/** Where each piece of large code goes, with the markers of notes between. */
function placeLarge(place: string, { digest, cuts }: LargeCode, notes: readonly LineNote[]): string {
  const byLine = Map.groupBy(notes, ({ line }) => line);
  const markers = [...cuts.map((line) => markerFor(byLine.get(line) ?? [])), ""];
  return markers.map((marker, i) => `${place}${digest}.${i};${marker}`).join("");
}
