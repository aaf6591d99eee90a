import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/ui/copy-field.tsx";

/** The code that puts a shared file into other pages. `id` tells one on a page from others. */
export function EmbedOffer({ code, id }: { code: string; id: string }) {
  const text = useText().shares;
  const hintId = `embed-hint-${id}`;
  return (
    <details className="disclosure">
      <summary>{text.embed}</summary>
      <div className="card form">
        <p id={hintId}>{text.embedHint}</p>
        <CopyField value={code} named={text.embedCode} hintId={hintId} />
      </div>
    </details>
  );
}
