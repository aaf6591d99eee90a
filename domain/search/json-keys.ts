type JsonKey = { name: string; line: number; depth: number };

type Reader = { at: number; line: number; nesting: number };

/**
 * The keys of a JSON text down to a depth, with comments understood. The text is read once, character by character, so that keys
 * on one long line are found as well. A list counts as a depth of its own only for what is inside another key.
 */
export function findJsonKeys(text: string, depthMax: number, most: number): JsonKey[] {
  const keys: JsonKey[] = [];
  const reader: Reader = { at: 0, line: 1, nesting: 0 };
  while (reader.at < text.length && keys.length < most) {
    const character = text[reader.at];
    if (character === '"') {
      const { line } = reader;
      const name = readString(text, reader);
      const depth = reader.nesting - 1;
      if (depth >= 0 && depth <= depthMax && name !== "" && isKey(text, reader.at))
        keys.push({ name, line, depth });
      continue;
    }
    if (character === "/") {
      skipComment(text, reader);
      continue;
    }
    if (character === "\n") reader.line += 1;
    else if (character === "{" || character === "[") reader.nesting += 1;
    else if (character === "}" || character === "]") reader.nesting -= 1;
    reader.at += 1;
  }
  return keys;
}

/** What stands between two quotes as it is written. A string does not reach over the end of its line. */
function readString(text: string, reader: Reader): string {
  const start = reader.at + 1;
  let at = start;
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  reader.at = text[at] === '"' ? at + 1 : at;
  return text.slice(start, at);
}

function skipComment(text: string, reader: Reader): void {
  const [opening, closing] = text[reader.at + 1] === "*" ? ["/*", "*/"] : ["//", "\n"];
  if (!text.startsWith(opening, reader.at)) {
    reader.at += 1;
    return;
  }
  const found = text.indexOf(closing, reader.at + 2);
  const end = found < 0 ? text.length : closing === "\n" ? found : found + 2;
  for (let at = reader.at; at < end; at += 1) if (text[at] === "\n") reader.line += 1;
  reader.at = end;
}

const BLANKS_READ = 100;

function isKey(text: string, from: number): boolean {
  let at = from;
  while (at < from + BLANKS_READ && (text[at] === " " || text[at] === "\t")) at += 1;
  return text[at] === ":";
}
