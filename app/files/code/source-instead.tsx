import { CodeView } from "#app/files/code/code-view.tsx";
import { PlainReason } from "#app/files/code/plain-reason.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import type { HighlightedCode } from "#app/viewers/code/highlight.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";

type Reason = keyof Dictionary["viewers"]["notRendered"];

export function SourceFallback({
  reason,
  code,
  raw,
}: {
  reason: Reason;
  code: HighlightedCode;
  raw: string;
}) {
  const { viewers } = useText();
  return (
    <>
      <Alert caution>{viewers.notRendered[reason]}</Alert>
      <PlainReason code={code} />
      <CodeView code={code} raw={raw} />
    </>
  );
}
