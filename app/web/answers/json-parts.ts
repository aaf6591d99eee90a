import { setImmediate } from "node:timers/promises";

/** Shorter lists are written without a pause. */
const SHORT_LIST = 20;
/** After this many characters the event loop serves other requests. */
const PART_LENGTH = 500_000;

/** Writes an answer as JSON in UTF-8, long lists item by item with pauses for other requests: two hundred notes can be sixteen megabytes. */
export async function writeJsonParts(answer: object): Promise<Buffer[]> {
  const fields = Array.isArray(answer) ? [] : listFields(answer);
  if (![answer, ...fields.map(([, value]) => value)].some(isLongList))
    return [Buffer.from(JSON.stringify(answer))];
  const parts: Buffer[] = [];
  let text = "";
  for (const piece of isLongList(answer) ? writeList(answer) : writeFields(fields)) {
    text += piece;
    if (text.length < PART_LENGTH) continue;
    parts.push(Buffer.from(text));
    text = "";
    await setImmediate();
  }
  return [...parts, Buffer.from(text)];
}

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > SHORT_LIST;

const listFields = (answer: object) => Object.entries(answer).filter(([, value]) => value !== undefined);

function* writeFields(fields: readonly [name: string, value: unknown][]): Generator<string> {
  for (const [i, [name, value]] of fields.entries()) {
    yield `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    if (isLongList(value)) yield* writeList(value);
    else yield JSON.stringify(value);
  }
  yield "}";
}

function* writeList(items: readonly unknown[]): Generator<string> {
  for (const [i, item] of items.entries()) yield `${i === 0 ? "[" : ","}${JSON.stringify(item) ?? "null"}`;
  yield "]";
}
