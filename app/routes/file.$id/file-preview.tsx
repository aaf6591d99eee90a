import { CodeView } from "#app/files/code/code-view.tsx";
import { PagePreviewFrame } from "#app/files/code/drawing.tsx";
import { PlainReason } from "#app/files/code/plain-reason.tsx";
import { SourceFallback } from "#app/files/code/source-instead.tsx";
import { useText } from "#app/i18n/text.ts";
import type { HighlightedCode } from "#app/viewers/code/highlight.server.ts";
import type { Preview } from "#app/viewers/preview.server.ts";
import { atVersion, type OldVersionNumber, RUNNING_PAGE, rawAddress, VIEWS } from "#app/viewers/views.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { detectDirection } from "#domain/text/text-direction.ts";

type PreviewProps = { file: { id: string; file_name: string }; old: OldVersionNumber; preview: Preview };

export function FilePreview({ file, old, preview }: PreviewProps) {
  const raw = rawAddress(file.id, old);
  if (preview.kind === "code") return <ColouredCode code={preview.code} raw={raw} />;
  if (preview.kind === "source")
    return <SourceFallback reason={preview.reason} code={preview.code} raw={raw} />;
  if (preview.kind === "table") return <CsvTable {...preview} />;
  if (preview.kind === "prose")
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text
    return <div className="prose" dangerouslySetInnerHTML={{ __html: preview.html }} />;
  return preview.runsScripts ? <RunningPage file={file} old={old} /> : <StaticPage file={file} old={old} />;
}

type PageProps = Omit<PreviewProps, "preview">;

function StaticPage({ file, old }: PageProps) {
  const text = useText().viewers;
  return (
    <>
      <p className="below-3">
        <a className="button button-small" href={atVersion(RUNNING_PAGE(file.id), old)}>
          <Icon name="play" />
          {text.runScripts}
        </a>
      </p>
      <PagePreviewFrame fileName={file.file_name} src={atVersion(`/html/${file.id}`, old)} />
    </>
  );
}

/** A page that runs its scripts on request, in an opaque origin: it has no cookies, no network and no access to this page. */
function RunningPage({ file, old }: PageProps) {
  const text = useText().viewers;
  return (
    <>
      <p className="below-3">
        <a className="button button-small" href={atVersion(VIEWS.html(file.id), old)}>
          <Icon name="minus" />
          {text.stopScripts}
        </a>
      </p>
      <iframe
        className="surface preview-frame block full"
        sandbox="allow-scripts"
        src={atVersion(`/html/${file.id}/run`, old)}
        title={text.frame(file.file_name)}
      />
      <p className="soft above-2">{text.runningNote}</p>
    </>
  );
}

function ColouredCode({ code, raw }: { code: HighlightedCode; raw: string }) {
  return (
    <>
      <PlainReason code={code} />
      <CodeView code={code} raw={raw} />
    </>
  );
}

type TableProps = { rows: string[][]; totalRows: number; totalColumns: number };

function CsvTable({ rows, totalRows, totalColumns }: TableProps) {
  const text = useText().viewers;
  const [head = [], ...body] = rows;
  const direction = detectDirection(head.join(" "));
  const shownColumns = Math.max(...rows.map((row) => row.length), 0);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll-box" aria-label={text.table} tabIndex={0} dir={direction}>
        <table className="table csv">
          <thead>
            <Row cells={head} heading />
          </thead>
          <tbody>
            {body.map((cells, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
              <Row key={i} cells={cells} />
            ))}
          </tbody>
        </table>
      </section>
      {rows.length < totalRows && <p className="soft">{text.rows(body.length, totalRows - 1)}</p>}
      {shownColumns < totalColumns && <p className="soft">{text.columns(shownColumns, totalColumns)}</p>}
    </>
  );
}

/** The cells of a column share one edge, even if their texts differ in direction. */
function Row({ cells, heading = false }: { cells: string[]; heading?: boolean }) {
  const Cell = heading ? "th" : "td";
  return (
    <tr>
      {cells.map((cell, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is named by its column
        <Cell key={i} scope={heading ? "col" : undefined}>
          <bdi>{cell}</bdi>
        </Cell>
      ))}
    </tr>
  );
}
