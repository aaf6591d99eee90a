import { useSearchParams } from "@remix-run/react";
import { Alert } from "#app/components/alert.tsx";
import { hasBidiControls, showBidiControls } from "#app/components/bidi-controls.ts";
import { markLines, parseLineRange } from "#app/components/line-range.ts";
import { useText } from "#app/i18n/text.ts";

/** Highlighted code with its line numbers, the lines that the address asks for marked. */
export function CodeView({ html }: { html: string }) {
  const text = useText().file;
  const [parameters] = useSearchParams();
  const range = parseLineRange(parameters.get("L"));
  const reordered = hasBidiControls(html);
  const visible = reordered ? showBidiControls(html) : html;
  return (
    <>
      {reordered && <Alert caution>{text.bidiControls}</Alert>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="code-box" aria-label={text.code} tabIndex={0} dir="ltr">
        <pre className="code">
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes everything the file contains */}
          <code dangerouslySetInnerHTML={{ __html: range ? markLines(visible, range) : visible }} />
        </pre>
      </section>
    </>
  );
}
