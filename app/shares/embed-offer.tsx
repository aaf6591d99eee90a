import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/web/ui/copy-field.tsx";

type OfferProps = { code: string; id: string; className?: string };

export function EmbedOffer({ code, id, className = "" }: OfferProps) {
  const text = useText().shares;
  const hintId = `embed-hint-${id}`;
  return (
    <details className={`disclosure ${className}`}>
      <summary>{text.embed}</summary>
      <div className="card form">
        <p id={hintId}>{text.embedHint}</p>
        <CopyField value={code} named={text.embedCode} hintId={hintId} />
      </div>
    </details>
  );
}
