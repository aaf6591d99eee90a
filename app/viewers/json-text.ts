import { parseJsonOrNull } from "#domain/parse-json.ts";

/**
 * Formats JSON over several lines and keeps every literal: numbers keep their digits and keys their order, which parsing and serializing
 * would not guarantee. Null if the text is not JSON, or is nested so deeply that it would be unreadable or the indents many times the text.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const MAX_DEPTH = 100;
const MAX_GROWTH = 8;
const INDENTS_MIN = 64 * 1024;
const OPENING: Record<string, string> = { "[": "]", "{": "}" };

export function formatJson(text: string): string | null {
  if (!isJson(text)) return null;
  const tokens = text.match(TOKEN) ?? [];
  const out: string[] = [];
  let depth = 0;
  let indentBudget = Math.max(INDENTS_MIN, MAX_GROWTH * text.length);
  const newLine = () => {
    indentBudget -= 2 * depth;
    return `\n${"  ".repeat(depth)}`;
  };
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] ?? "";
    const closing = OPENING[token];
    if (indentBudget < 0) return null;
    if (closing) {
      if (tokens[i + 1] === closing) {
        out.push(token, closing);
        i += 1;
        continue;
      }
      depth += 1;
      if (depth > MAX_DEPTH) return null;
      out.push(token, newLine());
    } else if (token === "]" || token === "}") {
      depth -= 1;
      out.push(newLine(), token);
    } else if (token === ",") out.push(",", newLine());
    else out.push(token === ":" ? ": " : token);
  }
  return `${out.join("")}\n`;
}

export const isJson = (text: string): boolean => parseJsonOrNull(text) !== undefined;
