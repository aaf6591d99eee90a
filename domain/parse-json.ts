/** The value of a JSON text; undefined if the text is no JSON. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
