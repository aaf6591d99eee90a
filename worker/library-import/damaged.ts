import {
  type Damage,
  IMPORT_FAILURE_MESSAGES,
  type ImportFailure,
} from "#domain/library-zip/library-import.ts";
import { hasKey } from "#domain/typed-keys.ts";

const ENTRY_SHOWN = 200;

/** Thrown for a zip that is no valid export; the whole import is refused. */
export class Damaged extends Error {
  override name = "Damaged";
  readonly damage: Damage;

  constructor(why: Damage["why"], entry?: string, more: Pick<Damage, "record" | "field"> = {}) {
    super(why);
    this.damage = { why, ...(entry === undefined ? {} : { entry: entry.slice(0, ENTRY_SHOWN) }), ...more };
  }
}

/** Thrown if the import ends although the zip may be valid. */
export class ImportStopped extends Error {
  override name = "ImportStopped";
  readonly reason: ImportFailure | "cancelled" | "lost";

  constructor(reason: ImportFailure | "cancelled" | "lost") {
    super(hasKey(IMPORT_FAILURE_MESSAGES, reason) ? IMPORT_FAILURE_MESSAGES[reason] : reason);
    this.reason = reason;
  }
}
