import { redirect } from "@remix-run/node";
import { readShownLine } from "#app/viewers/code/code-marks.server.ts";
import { type HighlightedCode, highlight, toHighlightedCode } from "#app/viewers/code/highlight.server.ts";
import { renderNotebookPage } from "#app/viewers/markdown/markdown-page.server.ts";
import type { NotRendered } from "#app/viewers/render-task.ts";
import { VIEWER_JOBS } from "#app/viewers/viewer-jobs.ts";
import { atVersion, isNotebook, isViewed, type OldVersionNumber, VIEWS } from "#app/viewers/views.ts";
import type { RequestContext } from "#app/web/request-context.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { GaveUp } from "#platform/threads/thread-job.ts";

export type Preview =
  | { kind: "frame"; runsScripts: boolean }
  | { kind: "prose"; html: string }
  | { kind: "code"; code: HighlightedCode }
  | { kind: "table"; rows: string[][]; totalRows: number; totalColumns: number }
  | { kind: "source"; reason: "not_json" | NotRendered | GaveUp; code: HighlightedCode };

type Previewed = { id: string; user_id: string; file_name: string; language: string };
type Make = (
  context: RequestContext,
  owner: string,
  body: string,
  request: Request,
) => Preview | Promise<Preview>;

const PREVIEWS: Record<string, Make> = {
  html: (_context, _owner, _body, request) => ({
    kind: "frame",
    runsScripts: new URL(request.url).searchParams.get("scripts") === "on",
  }),
  async csv(context, owner, body, request) {
    const table = await context.services.threads.run(VIEWER_JOBS.previewCsv, body, {
      owner,
      key: digestKey(body),
    });
    if (table.ok) return { kind: "table", ...table.value };
    return {
      kind: "source",
      reason: table.reason,
      code: await highlight(context, { owner, body, language: "csv", line: readShownLine(request) }),
    };
  },
  async notebook(context, owner, body, request) {
    const rendered = await renderNotebookPage(context, owner, body);
    if (rendered.ok) return { kind: "prose", html: rendered.html };
    return {
      kind: "source",
      reason: rendered.reason,
      code: await highlight(context, { owner, body, language: "json", line: readShownLine(request) }),
    };
  },
  async json(context, owner, body, request) {
    const line = readShownLine(request);
    const input = { body, line };
    const key = digestKey(body, `${line ?? 1}`);
    const result = await context.services.threads.run(VIEWER_JOBS.previewJson, input, { owner, key });
    if (!result.ok)
      return {
        kind: "source",
        reason: result.reason,
        code: await highlight(context, { owner, body, language: "json", line: readShownLine(request) }),
      };
    const { asIs, ...coloured } = result.value;
    const code = toHighlightedCode(context, coloured);
    return asIs === null ? { kind: "code", code } : { kind: "source", reason: asIs, code };
  },
};

/** Creates the preview of a file if its Preview tab is open; null on the source tab or if the file has no preview. */
export async function choosePreview(
  context: RequestContext,
  request: Request,
  file: Previewed,
  body: string,
  old: OldVersionNumber,
): Promise<Preview | null> {
  const { language } = file;
  const parameters = new URL(request.url).searchParams;
  if (parameters.get("view") !== "preview" || !isViewed(language)) return null;
  const kind = isNotebook(file.file_name) ? "notebook" : language;
  const make = Object.hasOwn(PREVIEWS, kind) ? PREVIEWS[kind] : undefined;
  if (!make) throw redirect(atVersion(VIEWS[language](file.id), old));
  return make(context, file.user_id, body, request);
}
