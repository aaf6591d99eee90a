/**
 * Queries name an index as the table does (`hint: "by_day"`). A replaced index has a number after that name (see
 * `index-builds.ts`), but its key is unique within the collection, so the hint is replaced by the key.
 */
import type { IndexSpec } from "#db/indexes/index-table.ts";
import { INDEXES } from "#db/indexes/indexes.ts";
import { hasKey, isObject } from "#domain/typed-keys.ts";

type Command = Record<string, unknown>;

export function hintByKey(command: Command): Command {
  if (isObject(command.explain)) return { ...command, explain: hintByKey(command.explain) };
  const [collection] = Object.values(command);
  if (!hasKey(INDEXES, collection)) return command;
  const rows: readonly IndexSpec[] = INDEXES[collection];
  const index = rows.find(({ name }) => name === command.hint);
  return index ? { ...command, hint: index.key } : command;
}
