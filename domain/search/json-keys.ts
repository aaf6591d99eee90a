type JsonKey = { name: string; line: number; depth: number };

type Reader = { offset: number; line: number; nesting: number };

/**
 * Lists the keys of a JSON text down to a depth; comments are allowed. The text is read once, character by character, so that
 * keys on a single long line are found too. A list counts as a level only inside another key.
 */
export function findJsonKeys(text: string, depthMax: number, max: number): JsonKey[] {
  const keys: JsonKey[] = [];
  const reader: Reader = { offset: 0, line: 1, nesting: 0 };
  while (reader.offset < text.length && keys.length < max) {
    const character = text[reader.offset];
    if (character === '"') {
      const { line } = reader;
      const name = readString(text, reader);
      const depth = reader.nesting - 1;
      if (depth >= 0 && depth <= depthMax && name !== "" && isKey(text, reader.offset))
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
    reader.offset += 1;
  }
  return keys;
}

/** Reads the raw text between two quotes. A string ends at the end of its line. */
function readString(text: string, reader: Reader): string {
  const start = reader.offset + 1;
  let offset = start;
  while (offset < text.length && text[offset] !== '"' && text[offset] !== "\n")
    offset += text[offset] === "\\" ? 2 : 1;
  reader.offset = text[offset] === '"' ? offset + 1 : offset;
  return text.slice(start, offset);
}

function skipComment(text: string, reader: Reader): void {
  const [opening, closing] = text[reader.offset + 1] === "*" ? ["/*", "*/"] : ["//", "\n"];
  if (!text.startsWith(opening, reader.offset)) {
    reader.offset += 1;
    return;
  }
  const closingIndex = text.indexOf(closing, reader.offset + 2);
  const end = closingIndex < 0 ? text.length : closing === "\n" ? closingIndex : closingIndex + 2;
  for (let offset = reader.offset; offset < end; offset += 1) if (text[offset] === "\n") reader.line += 1;
  reader.offset = end;
}

const BLANKS_MAX = 100;

function isKey(text: string, from: number): boolean {
  let offset = from;
  while (offset < from + BLANKS_MAX && (text[offset] === " " || text[offset] === "\t")) offset += 1;
  return text[offset] === ":";
}
