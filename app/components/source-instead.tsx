import { Alert } from "#app/components/alert.tsx";
import { CodeView } from "#app/components/code-view.tsx";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";

type Reason = keyof Dictionary["viewers"]["notRendered"];

/** Where a view cannot be made: why, and the source. */
export function SourceInstead({ reason, html }: { reason: Reason; html: string }) {
  const text = useText().viewers.notRendered;
  return (
    <>
      <Alert caution>{text[reason]}</Alert>
      <CodeView html={html} />
    </>
  );
}
