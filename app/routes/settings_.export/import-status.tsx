import type { SerializeFrom } from "@remix-run/node";
import { Fragment } from "react";
import { useText } from "#app/i18n/text.ts";
import type { ImportView } from "#app/library-zip/import-view.server.ts";
import { usePage } from "#app/page-context.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { DateText, Moment } from "#app/web/ui/moment.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { REPORTED_KINDS, type Tally } from "#domain/library-zip/library-import.ts";

type View = SerializeFrom<ImportView>;
type CheckedView = Extract<View, { state: "checked" }>;
type UnderWay = Extract<View, { state: "waiting" | "checking" | "importing" }>;
type Result = Extract<View, { state: "done" | "refused" | "failed" | "cancelled" }>;
type Report = CheckedView["report"];
type ImportText = ReturnType<typeof useText>["imports"];

export function ImportStatus({ view }: { view: View }) {
  if (view.state === "checked") return <ImportPlan view={view} />;
  return "ended_at" in view ? <ImportResult view={view} /> : <ImportProgress view={view} />;
}

function ImportProgress({ view }: { view: UnderWay }) {
  const text = useText().imports;
  const head = text.underWay[view.state];
  const progress = view.state === "waiting" ? null : view.progress;
  const isCancelling = view.state !== "waiting" && view.is_cancelling;
  const isChecked = (view.state === "waiting" ? view.begins : view.state) === "checking";
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="status-head">
      <h2 id="status-head">{head}</h2>
      {view.state !== "waiting" && (
        <progress
          className="wide-bar"
          max={progress?.total ?? 1}
          value={progress?.total ? progress.processed : undefined}
          aria-label={head}
        />
      )}
      <p role="status">
        {view.state === "waiting" && text.waitingFor[view.waiting_for]}
        {isCancelling && text.cancelling}
        {view.state !== "waiting" &&
          !isCancelling &&
          (progress
            ? text.progress(text.kinds[progress.kind], progress.processed, progress.total)
            : text.reading)}
      </p>
      {isChecked && <p>{text.next}</p>}
      <p className="soft">{text.leave}</p>
      {!isCancelling && (
        <form className="actions" method="post">
          <input type="hidden" name="import_id" value={view.import_id} />
          <button className="button" type="submit" name="intent" value="cancel">
            {text.cancel}
          </button>
        </form>
      )}
    </section>
  );
}

/** Previews an import before it changes anything. */
function ImportPlan({ view: { import_id, report } }: { view: CheckedView }) {
  const text = useText().imports;
  const hasNew = sumReport(report, "added") > 0;
  const head = hasNew ? text.planHead : text.emptyHead;
  const explanation = describePlan(report, text);
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="status-head">
      <h2 id="status-head">{head}</h2>
      {report.made_at && (
        <p className="soft">
          {text.madeAt} <DateText at={report.made_at} />
        </p>
      )}
      {report.code && hasNew && <p>{text.goesTo(report.code.folder)}</p>}
      <ReportTable report={report} added={text.columns.willAdd} name={head} />
      {report.renamed > 0 && <p>{text.renamed(report.renamed)}</p>}
      {explanation && <p className="soft">{explanation}</p>}
      <TrashedFiles report={report} />
      <form className="actions" method="post">
        <input type="hidden" name="import_id" value={import_id} />
        {hasNew && (
          <button className="button button-primary" type="submit" name="intent" value="import">
            {text.start}
          </button>
        )}
        <button className="button" type="submit" name="intent" value="drop">
          {hasNew ? text.discard : text.close}
        </button>
      </form>
    </section>
  );
}

function describePlan({ code, ...report }: Report, text: ImportText): string | null {
  if (sumReport(report, "added") > 0) return code ? text.codeVersions : text.settings;
  if (code && report.kinds.files.here === 0) return text.noTexts;
  const isAllHere = !report.trashed && !(code && report.kinds.files.left > 0);
  return isAllHere ? text.nothing : null;
}

/** Names the number of files that the import left in the trash; their owner can restore them. */
function TrashedFiles({ report: { trashed } }: { report: Report }) {
  const text = useText().imports;
  if (!trashed) return null;
  return (
    <p>
      {text.trashed(trashed)} <a href="/trash">{text.openTrash}</a>
    </p>
  );
}

function ImportResult({ view }: { view: Result }) {
  const text = useText().imports;
  const { state, report, damage, failure, ended_at, import_id } = view;
  const head = text.ended[state];
  return (
    <section className="settings-part stack column items-start shrinks" aria-labelledby="status-head">
      <h2 id="status-head">{head}</h2>
      {ended_at && (
        <p className="soft">
          <Moment at={ended_at} />
        </p>
      )}
      {damage && <DamageAlert damage={damage} />}
      {failure && <Alert>{text.failures[failure]}</Alert>}
      {report && <ReportTable report={report} added={text.columns.added} name={head} />}
      {report && <TrashedFiles report={report} />}
      {state !== "done" && <p>{report ? text.continues : text.nothingImported}</p>}
      <form className="actions" method="post">
        <input type="hidden" name="import_id" value={import_id} />
        {report && report.kinds.files.added > 0 && (
          <a className="button button-primary" href="/files">
            {text.viewFiles}
          </a>
        )}
        <button className="button" type="submit" name="intent" value="drop">
          {text.close}
        </button>
      </form>
    </section>
  );
}

function DamageAlert({ damage: { why, entry, record, field } }: { damage: NonNullable<Result["damage"]> }) {
  const text = useText().imports;
  return (
    <Alert>
      {text.damages[why]}
      {entry !== undefined && (
        <span className="small soft breaks block">{text.where(entry, record, field)}</span>
      )}
    </Alert>
  );
}

/** A longer list of skipped files is closed at first. */
const LISTED_OPEN_MAX = 10;

const OUTCOMES = ["added", "here", "left"] as const satisfies (keyof Tally)[];

const sumReport = ({ kinds }: Report, outcome: keyof Tally) =>
  REPORTED_KINDS.reduce((all, kind) => all + kinds[kind][outcome], 0);

function ReportTable({ report, added, name }: { report: Report; added: string; name: string }) {
  const text = useText().imports;
  const { locale } = usePage();
  const headings: Record<keyof Tally, string> = { ...text.columns, added };
  const outcomes = OUTCOMES.filter((outcome) => outcome === "added" || sumReport(report, outcome) > 0);
  const kinds = REPORTED_KINDS.filter((kind) => OUTCOMES.some((outcome) => report.kinds[kind][outcome] > 0));
  return (
    <>
      {kinds.length > 0 && (
        <Table name={name} headings={[text.columns.what, ...outcomes.map((outcome) => headings[outcome])]}>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{text.kinds[kind]}</th>
              {outcomes.map((outcome) => (
                <td key={outcome}>{report.kinds[kind][outcome].toLocaleString(locale)}</td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {report.code && <LeftOutFiles code={report.code} count={report.kinds.files.left} />}
      {!report.code && sumReport(report, "left") > 0 && <p className="soft">{text.leftWhy}</p>}
    </>
  );
}

function LeftOutFiles({ code, count }: { code: NonNullable<Report["code"]>; count: number }) {
  const text = useText().imports;
  const { locale } = usePage();
  const { left_out, junk } = code;
  const unnamedCount = count - left_out.length;
  return (
    <>
      {junk.length > 0 && (
        <p className="soft">
          {text.junk}{" "}
          {junk.map(({ name, count: times }, i) => (
            <Fragment key={name}>
              {i > 0 && ", "}
              <bdi dir="ltr">{name}</bdi> ({times.toLocaleString(locale)})
            </Fragment>
          ))}
        </p>
      )}
      {left_out.length > 0 && (
        <details open={left_out.length <= LISTED_OPEN_MAX}>
          <summary>{text.leftOut(count)}</summary>
          <ul className="small breaks">
            {left_out.map(({ path, why }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same path may stay out twice, and the list never changes.
              <li key={i}>
                <bdi dir="ltr">{path}</bdi> · {text.leftOutWhy[why]}
              </li>
            ))}
            {unnamedCount > 0 && <li>{text.leftOutMore(unnamedCount)}</li>}
          </ul>
        </details>
      )}
    </>
  );
}
