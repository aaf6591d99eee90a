import { FileField } from "#app/components/file-field.tsx";
import { Icon } from "#app/components/icon.tsx";
import { Moment } from "#app/components/moment.tsx";
import { sizeText } from "#app/components/size-text.ts";
import { Table } from "#app/components/table.tsx";
import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";

export function ExportCard() {
  const text = useText().settings;
  return (
    <section className="settings-part" aria-labelledby="export-head">
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
  const text = useText().settings;
  return (
    <section className="settings-part" aria-labelledby="import-head">
      <h2 id="import-head">{text.importHead}</h2>
      <p>{text.importLead}</p>
      <form className="settings-form" method="post" encType="multipart/form-data">
        <div className="field">
          <label htmlFor="zip">{text.importField}</label>
          <FileField id="zip" name="zip" accept=".zip,application/zip" required aria-describedby="zip-hint" />
          <p className="field-hint" id="zip-hint">
            {text.importHint(isolateLtr(sizeText(maxBytes)))}
          </p>
        </div>
        <div className="actions">
          <button className="button" type="submit">
            {text.importLook}
          </button>
        </div>
      </form>
    </section>
  );
}

const KINDS = ["files", "versions", "boards", "notes", "reminders"] as const;
type Tally = { added: number; here: number; left: number };
export type PlanOnWire = {
  made_at: string;
  kinds: Record<(typeof KINDS)[number], Tally>;
  renamed: number;
};

/** What an import will do, before it does anything. */
export function ImportPlan({ fileKey, plan }: { fileKey: string; plan: PlanOnWire }) {
  const text = useText().settings;
  const { locale } = usePage();
  const columns = text.importColumns;
  const sum = (of: keyof Tally) => KINDS.reduce((all, kind) => all + plan.kinds[kind][of], 0);
  const number = (count: number) => count.toLocaleString(locale);
  return (
    <section className="settings-part" aria-labelledby="plan-head">
      <h2 id="plan-head">{text.importPlanHead}</h2>
      <p className="soft">
        {text.importMadeAt} <Moment at={plan.made_at} />
      </p>
      <Table name={text.importPlanHead} headings={[columns.what, columns.added, columns.here, columns.left]}>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">{text.importKinds[kind]}</th>
            <td>{number(plan.kinds[kind].added)}</td>
            <td>{number(plan.kinds[kind].here)}</td>
            <td>{number(plan.kinds[kind].left)}</td>
          </tr>
        ))}
      </Table>
      {plan.renamed > 0 && <p>{text.importRenamed(plan.renamed)}</p>}
      {sum("left") > 0 && <p className="soft">{text.importLeftWhy}</p>}
      <p className="soft">{sum("added") > 0 ? text.importSettings : text.importNothing}</p>
      <form className="actions" method="post">
        <input type="hidden" name="key" value={fileKey} />
        {sum("added") > 0 && (
          <button className="button button-primary" type="submit" name="intent" value="import">
            {text.importAction}
          </button>
        )}
        <button className="button" type="submit" name="intent" value="drop">
          {sum("added") > 0 ? text.importCancel : text.importClose}
        </button>
      </form>
    </section>
  );
}
