/** Comma-separated text as rows of fields: quoted fields may hold separators, line ends and doubled quotes. */
export type CsvTable = { rows: string[][]; totalRows: number; totalColumns: number };

const CSV_MAX_ROWS = 500;
const CSV_MAX_COLUMNS = 100;

const SEPARATORS = [",", "\t", ";", "|"] as const;

/** The first row and at most as many more as are shown; all are counted. */
export function csvTable(text: string): CsvTable {
  const separator = detectSeparator(text);
  const rows: string[][] = [];
  let totalRows = 0;
  let totalColumns = 0;
  for (const row of parseRows(text, separator)) {
    totalRows += 1;
    totalColumns = Math.max(totalColumns, row.columns);
    if (rows.length <= CSV_MAX_ROWS) rows.push(row.fields);
  }
  return { rows, totalRows, totalColumns };
}

/** The one that the first line has most of, outside quotes. */
function detectSeparator(text: string): string {
  const [line] = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, "")
    .split(/\r?\n/, 1);
  const count = (separator: string) => line?.split(separator).length ?? 0;
  return SEPARATORS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** A row, of which only as many fields are kept as are shown. */
type Row = { fields: string[]; columns: number };

function put(row: Row, field: string): void {
  row.columns += 1;
  if (row.columns <= CSV_MAX_COLUMNS) row.fields.push(field);
}

function* parseRows(text: string, separator: string): Generator<Row> {
  const ends = new RegExp(`[${separator === "|" ? "\\|" : separator}\\r\\n]|$`, "g");
  let row: Row = { fields: [], columns: 0 };
  let at = 0;
  while (at < text.length) {
    const { field, end } = fieldAt(text, at, ends);
    put(row, field);
    at = end;
    if (text[at] === separator) {
      at += 1;
      if (at === text.length) put(row, "");
      else continue;
    } else at += text.startsWith("\r\n", at) ? 2 : 1;
    yield row;
    row = { fields: [], columns: 0 };
  }
  if (row.columns > 0) yield row;
}

/** One field and the place of what ends it: a separator, a line end or the end of the text. */
function fieldAt(text: string, start: number, ends: RegExp): { field: string; end: number } {
  let quoted = "";
  let at = start;
  if (text[at] === '"') {
    for (at += 1; ; at += 1) {
      const close = text.indexOf('"', at);
      if (close < 0) return { field: quoted + text.slice(at), end: text.length };
      quoted += text.slice(at, close);
      at = close + 1;
      if (text[at] !== '"') break;
      quoted += '"';
    }
  }
  ends.lastIndex = at;
  const end = ends.exec(text)?.index ?? text.length;
  return { field: quoted + text.slice(at, end), end };
}
