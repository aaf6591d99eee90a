import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { Bytes } from "#app/web/ui/bytes.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { repoPlace } from "#domain/repos/repo-place.ts";

type PlannedFile = { path: string; file_name: string; size: number; language: string; known: boolean };
type Plan = { files: readonly PlannedFile[]; count: number; bytes: number; skipped: number };

export function ImportPlan({ name, path, plan }: { name: string; path: string; plan: Plan }) {
  const text = useText().repos;
  const { files, count, bytes, skipped } = plan;
  const headings = [text.importName, text.importFrom, text.size, text.importBecomes];
  return (
    <div className="stack above-6">
      <div className="section-head">
        <h2>{text.importPlan(count)}</h2>
        <Bytes count={bytes} />
      </div>
      {skipped > 0 && <p className="soft">{text.importSkipped(skipped)}</p>}
      <form className="actions" method="post" action={repoPlace(name, "import")}>
        <input type="hidden" name="path" value={path} />
        <button className="button button-primary" type="submit">
          <Icon name="book" />
          {text.importDo(count)}
        </button>
      </form>
      <Table name={text.importPlan(count)} headings={headings} stacked>
        {files.map((file) => (
          <tr key={file.path}>
            <th scope="row">
              <span className="inline-flex baseline gap-1">
                <LanguageDot language={file.language} />
                <FileName name={file.file_name} />
              </span>
            </th>
            <td className="wide" data-label={text.importFrom}>
              <FileName name={file.path} />
            </td>
            <td data-label={text.size}>
              <Bytes count={file.size} />
            </td>
            <td data-label={text.importBecomes}>{file.known ? text.importKnown : text.importNew}</td>
          </tr>
        ))}
      </Table>
      {count > files.length && <p className="soft">{text.tooMany(files.length)}</p>}
    </div>
  );
}

type Run = {
  state: "under_way" | "done" | "failed";
  processed: number;
  total: number | null;
  result: Record<string, unknown> | null;
};

export function ImportRunStatus({ name, run }: { name: string; run: Run }) {
  const text = useText().repos;
  if (run.state === "failed") return <Alert>{text.importFailed}</Alert>;
  if (run.state === "under_way")
    return (
      <div className="stack" role="status">
        <p>{text.importing}</p>
        <progress
          className="wide-bar"
          max={run.total ?? 1}
          value={run.total ? run.processed : undefined}
          aria-label={text.importing}
        />
      </div>
    );
  const getCount = (key: string) => Number(run.result?.[key] ?? 0);
  return (
    <div className="stack" role="status">
      <p>{text.imported(getCount("created"), getCount("updated"), getCount("unchanged"))}</p>
      {getCount("failed") > 0 && <Alert caution>{text.importMissed(getCount("failed"))}</Alert>}
      <div className="actions">
        <a className="button button-primary" href={`/files?repo=${encodeURIComponent(name)}`}>
          {text.importedFiles}
        </a>
        <a className="button" href={repoPlace(name)}>
          {text.parts.files}
        </a>
      </div>
    </div>
  );
}
