import { redirect } from "@remix-run/node";
import { csvTable } from "#app/viewers/csv-table.ts";
import { highlight } from "#app/viewers/highlight.server.ts";
import { prettyJson } from "#app/viewers/json-text.ts";
import { atVersion, isViewed, type OldVersionNumber, VIEWS } from "#app/viewers/views.ts";

/** What the Preview tab of the file page shows. Markdown and drawings have pages of their own. */
export type Preview =
  | { kind: "frame" }
  | { kind: "code"; html: string }
  | { kind: "table"; rows: string[][]; totalRows: number; totalColumns: number }
  | { kind: "source"; reason: "not_json"; html: string };

const PREVIEWS: Record<string, (body: string) => Preview | Promise<Preview>> = {
  html: () => ({ kind: "frame" }),
  csv: (body) => ({ kind: "table", ...csvTable(body) }),
  json: async (body) => {
    const pretty = prettyJson(body);
    if (pretty !== null) return { kind: "code", html: (await highlight(pretty, "json")).html };
    return { kind: "source", reason: "not_json", html: (await highlight(body, "json")).html };
  },
};

type Previewed = { id: string; language: string };

/** The preview of a file whose Preview tab is asked for; null where the source is, or where there is no other view. */
export async function previewAskedFor(
  request: Request,
  file: Previewed,
  body: string,
  old: OldVersionNumber,
): Promise<Preview | null> {
  const { language } = file;
  if (new URL(request.url).searchParams.get("view") !== "preview" || !isViewed(language)) return null;
  if (!Object.hasOwn(PREVIEWS, language)) throw redirect(atVersion(VIEWS[language](file.id), old));
  return PREVIEWS[language](body);
}
