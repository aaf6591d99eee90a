import { useSearchParams } from "@remix-run/react";
import { Alert } from "#app/components/alert.tsx";
import { hasBidiControls, showBidiControls } from "#app/components/bidi-controls.ts";
import { type LineNote, markNotes } from "#app/components/line-notes.ts";
import { markLines } from "#app/components/line-range.ts";
import { useText } from "#app/i18n/text.ts";
import { useLargeHtml } from "#app/page-context.ts";
import { parseLineRange } from "#domain/line-range.ts";

/** Highlighted code with its line numbers, the lines that the address asks for marked, and those that have notes. */
export function CodeView({ html: given, notes = [] }: { html: string; notes?: readonly LineNote[] }) {
  const html = useLargeHtml(given);
  const text = useText().file;
  const [parameters] = useSearchParams();
  const range = parseLineRange(parameters.get("L"));
  const reordered = hasBidiControls(html);
  const visible = reordered ? showBidiControls(html) : html;
  const marked = markNotes(range ? markLines(visible, range) : visible, notes);
  return (
    <>
      {reordered && <Alert caution>{text.bidiControls}</Alert>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="code-box" aria-label={text.code} tabIndex={0} dir="ltr">
        <pre className="code">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes everything the file contains */}
          <code dangerouslySetInnerHTML={{ __html: marked }} />
        </pre>
      </section>
    </>
  );
}
