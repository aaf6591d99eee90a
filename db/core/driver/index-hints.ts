/**
 * Queries name an index as the table does (`hint: "by_day"`). A replaced index has a number after that name (see
 * `index-builds.ts`), but its key is unique within the collection, so the hint is replaced by the key.
 */
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { hasKey, isObject } from "#domain/typed-keys.ts";

type Command = Record<string, unknown>;
/** The indexes of each collection by its name. */
export type IndexTables = Readonly<Record<string, readonly IndexSpec[]>>;

export function hintByKey(tables: IndexTables, command: Command): Command {
  if (isObject(command.explain)) return { ...command, explain: hintByKey(tables, command.explain) };
  const [collection] = Object.values(command);
  if (!hasKey(tables, collection)) return command;
  const index = tables[collection]?.find(({ name }) => name === command.hint);
  return index ? { ...command, hint: index.key } : command;
}
