import { useText } from "#app/i18n/text.ts";
import type { HighlightedCode } from "#app/viewers/code/highlight.server.ts";

export function PlainReason({ code }: { code: HighlightedCode }) {
  const text = useText().file;
  return code.plainBecause && <p className="plain-reason below-2 soft">{text.plain[code.plainBecause]}</p>;
}
