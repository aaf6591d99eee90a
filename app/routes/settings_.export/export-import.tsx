import { FileField } from "#app/files/file-field.tsx";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";
import { sizeText } from "#app/ui/size-text.ts";

export function ExportCard() {
  const text = useText().settings;
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="export-head">
      <h2 id="export-head">{text.exportHead}</h2>
      <p>{text.exportLead}</p>
      <p className="soft">{text.exportSecrets}</p>
      <a className="button button-primary" href="/settings/export/zip" download>
        <Icon name="download" />
        {text.exportAction}
      </a>
    </section>
  );
}

export function ImportForm({ maxBytes }: { maxBytes: number }) {
  const text = useText().imports;
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="import-head">
      <h2 id="import-head">{text.head}</h2>
      <p>{text.lead}</p>
      <form className="stack" method="post" encType="multipart/form-data">
        <div className="field">
          <label htmlFor="zip">{text.field}</label>
          <FileField id="zip" name="zip" accept=".zip,application/zip" required aria-describedby="zip-hint" />
          <p className="soft small" id="zip-hint">
            {text.hint(isolateLtr(sizeText(maxBytes)))}
          </p>
        </div>
        <div className="actions">
          <button className="button" type="submit">
            {text.check}
          </button>
        </div>
      </form>
    </section>
  );
}
