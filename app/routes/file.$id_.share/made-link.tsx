import { useText } from "#app/i18n/text.ts";
import { CopyField } from "#app/ui/copy-field.tsx";

type MadeProps = { url: string; fileName: string; back: string };

/** The address of a link that was just made, to copy and to open. */
export function MadeLink({ url, fileName, back }: MadeProps) {
  const text = useText().shares;
  return (
    <div className="form">
      <CopyField value={url} named={text.address(fileName)}>
        <a className="button" href={url}>
          {text.open}
        </a>
      </CopyField>
      <div className="actions">
        <a className="button button-primary" href={back}>
          {text.backToFile}
        </a>
        <a className="button" href="/shares">
          {text.allLinks}
        </a>
      </div>
    </div>
  );
}
