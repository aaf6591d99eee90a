import { CodeView } from "#app/files/code-view.tsx";
import { PageFrame } from "#app/files/drawing.tsx";
import { PlainReason } from "#app/files/plain-reason.tsx";
import { SourceInstead } from "#app/files/source-instead.tsx";
import { useText } from "#app/i18n/text.ts";
import type { HighlightedCode } from "#app/viewers/highlight.server.ts";
import type { Preview } from "#app/viewers/preview.server.ts";
import { atVersion, type OldVersionNumber } from "#app/viewers/views.ts";
import { detectDirection } from "#domain/text/text-direction.ts";

type PreviewProps = { file: { id: string; file_name: string }; old: OldVersionNumber; preview: Preview };

export function FilePreview({ file, old, preview }: PreviewProps) {
  if (preview.kind === "code") return <ColouredCode code={preview.code} />;
  if (preview.kind === "source") return <SourceInstead reason={preview.reason} code={preview.code} />;
  if (preview.kind === "table") return <CsvTable {...preview} />;
  if (preview.kind === "prose")
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised to the elements of text
    return <div className="prose" dangerouslySetInnerHTML={{ __html: preview.html }} />;
  return <PageFrame fileName={file.file_name} src={atVersion(`/html/${file.id}`, old)} />;
}

function ColouredCode({ code }: { code: HighlightedCode }) {
  return (
    <>
      <PlainReason code={code} />
      <CodeView code={code} />
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

/** A column has one edge, whatever the directions of its cells. */
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
