import { type ColouredCode, highlightCode } from "#app/viewers/code/highlight-code.ts";
import { type CsvTable, parseCsv } from "#app/viewers/csv-table.ts";
import { formatJson, isJson } from "#app/viewers/json-text.ts";

/** Previews made on a thread of the pool. */
export const previewCsv = (body: string): CsvTable => parseCsv(body);

/** `asIs` says why the text is not formatted. */
type JsonPreview = ColouredCode & { asIs: "not_json" | "too_deep" | null };

export async function previewJson({ body, line }: { body: string; line?: number }): Promise<JsonPreview> {
  const pretty = formatJson(body);
  const code = await highlightCode({ body: pretty ?? body, language: "json", line });
  if (pretty !== null) return { ...code, asIs: null };
  return { ...code, asIs: isJson(body) ? "too_deep" : "not_json" };
}
