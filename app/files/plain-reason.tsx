import { useText } from "#app/i18n/text.ts";
import { NUMBERED_LINES_MAX } from "#app/viewers/code-lines.ts";
import type { HighlightedCode } from "#app/viewers/highlight.server.ts";

type PlainProps = { code: HighlightedCode; lines?: number };

/** Why code is shown without colours or without some of its numbers; nothing where it has them, or has nothing to colour. */
export function PlainReason({ code, lines = 0 }: PlainProps) {
  const text = useText().file;
  return (
    <>
      {code.plainBecause && <p className="plain-reason soft">{text.plain[code.plainBecause]}</p>}
      {lines > NUMBERED_LINES_MAX && (
        <p className="plain-reason soft">{text.numberedTo(NUMBERED_LINES_MAX)}</p>
      )}
    </>
  );
}
