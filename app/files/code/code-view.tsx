import { useSearchParams } from "@remix-run/react";
import { CodeParts, CutLinesNote } from "#app/files/code/code-parts.tsx";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { LargeCode, PageCode } from "#app/viewers/code/large-code.ts";
import { createMarkerFinder, type LineNote, markLines, markNotes } from "#app/viewers/code/line-marks.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { hasBidiControls, showBidiControls } from "#app/web/ui/bidi-controls.ts";
import { type LineRange, parseLineRange } from "#domain/text/line-range.ts";
import type { ShownLines } from "#domain/text/text-part.ts";

type ViewedCode = PageCode & { shown: ShownLines };
export type CodeProps = {
  code: ViewedCode;
  notes?: readonly LineNote[];
  raw: string | null;
};

export function CodeView({ code, notes = [], raw }: CodeProps) {
  const text = useText().file;
  const { largePlace } = usePage();
  const [parameters] = useSearchParams();
  const { large, shown } = code;
  const isReordered = large ? large.isReordered : hasBidiControls(code.html);
  const html = large
    ? toLargePlaceholders(largePlace, large, notes)
    : markNotes(toMarkedHtml(code.html, parseLineRange(parameters.get("L"))), notes);
  return (
    <>
      {isReordered && <Alert caution>{text.bidiControls}</Alert>}
      {shown.hasCutLines && <CutLinesNote raw={raw} />}
      <CodeParts shown={shown} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll-box code-box" aria-label={text.code} tabIndex={0} dir="ltr">
        <pre className="code">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes everything the file contains */}
          <code dangerouslySetInnerHTML={{ __html: html }} />
        </pre>
      </section>
      <CodeParts shown={shown} isBelow />
    </>
  );
}

export function toMarkedHtml(html: string, range: LineRange | null): string {
  const visible = showBidiControls(html);
  return range ? markLines(visible, range) : visible;
}

/** A placeholder for each piece of large code, with the markers of notes between. */
function toLargePlaceholders(
  placeholder: string,
  { digest, cuts }: LargeCode,
  notes: readonly LineNote[],
): string {
  const markers = [...cuts.map(createMarkerFinder(notes)), ""];
  return markers.map((marker, i) => `${placeholder}${digest}.${i};${marker}`).join("");
}
