import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/ui/copy-field.tsx";

/** The code that embeds a shared file in other pages. `id` distinguishes several of them on one page. */
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
