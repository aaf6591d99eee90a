import { CodeView } from "#app/files/code-view.tsx";
import { PlainReason } from "#app/files/plain-reason.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/ui/alert.tsx";
import type { HighlightedCode } from "#app/viewers/highlight.server.ts";

type Reason = keyof Dictionary["viewers"]["notRendered"];

/** Where a view cannot be made: why, and the source where it is not too large to show. */
export function SourceInstead({ reason, code }: { reason: Reason; code: HighlightedCode | null }) {
  const { viewers, file } = useText();
  return (
    <>
      <Alert caution>{viewers.notRendered[reason]}</Alert>
      {code && <PlainReason code={code} />}
      {code ? <CodeView code={code} /> : <Alert caution>{file.tooLarge}</Alert>}
    </>
  );
}
