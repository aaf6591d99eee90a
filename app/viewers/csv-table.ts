/** Parses comma-separated text; quoted fields may hold separators, line ends and doubled quotes. */
export type CsvTable = { rows: string[][]; totalRows: number; totalColumns: number };

const CSV_MAX_ROWS = 500;
const CSV_MAX_COLUMNS = 100;

const SEPARATORS = [",", "\t", ";", "|"] as const;

/** Returns the header and the rows that are shown, and counts all. */
export function parseCsv(text: string): CsvTable {
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

function detectSeparator(text: string): string {
  const [line] = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, "")
    .split(/\r?\n/, 1);
  const count = (separator: string) => line?.split(separator).length ?? 0;
  return SEPARATORS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

type Row = { fields: string[]; columns: number };

function addField(row: Row, field: string): void {
  row.columns += 1;
  if (row.columns <= CSV_MAX_COLUMNS) row.fields.push(field);
}

function* parseRows(text: string, separator: string): Generator<Row> {
  const ends = new RegExp(`[${separator === "|" ? "\\|" : separator}\\r\\n]|$`, "g");
  let row: Row = { fields: [], columns: 0 };
  let position = 0;
  while (position < text.length) {
    const { field, end } = readField(text, position, ends);
    addField(row, field);
    position = end;
    if (text[position] === separator) {
      position += 1;
      if (position === text.length) addField(row, "");
      else continue;
    } else position += text.startsWith("\r\n", position) ? 2 : 1;
    yield row;
    row = { fields: [], columns: 0 };
  }
  if (row.columns > 0) yield row;
}

function readField(text: string, start: number, ends: RegExp): { field: string; end: number } {
  let quoted = "";
  let position = start;
  if (text[position] === '"') {
    for (position += 1; ; position += 1) {
      const close = text.indexOf('"', position);
      if (close < 0) return { field: quoted + text.slice(position), end: text.length };
      quoted += text.slice(position, close);
      position = close + 1;
      if (text[position] !== '"') break;
      quoted += '"';
    }
  }
  ends.lastIndex = position;
  const end = ends.exec(text)?.index ?? text.length;
  return { field: quoted + text.slice(position, end), end };
}
