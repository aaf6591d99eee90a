/**
 * Verbs name the index of a query as the table does (`hint: "by_day"`). A changed index has a number after that name in the store (see
 * `index-builds.ts`), and no other index of its collection has its key: so the hint is the key.
 */
import type { IndexSpec } from "#db/indexes/index-table.ts";
import { INDEXES } from "#db/indexes/indexes.ts";
import { hasKey, isObject } from "#domain/typed-keys.ts";

type Command = Record<string, unknown>;

/** The command with the key of the index that it names; as it is where it names none of the table. */
export function hintByKey(command: Command): Command {
  if (isObject(command.explain)) return { ...command, explain: hintByKey(command.explain) };
  const [collection] = Object.values(command);
  if (!hasKey(INDEXES, collection)) return command;
  const rows: readonly IndexSpec[] = INDEXES[collection];
  const index = rows.find(({ name }) => name === command.hint);
  return index ? { ...command, hint: index.key } : command;
}
