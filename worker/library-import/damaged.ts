import type { Damage, ImportFailure } from "#domain/files/library-import.ts";

const ENTRY_SHOWN = 200;

/** Thrown where a zip is not what an export is: it refuses the whole. */
export class Damaged extends Error {
  override name = "Damaged";
  readonly damage: Damage;

  constructor(why: Damage["why"], entry?: string, more: Pick<Damage, "record" | "field"> = {}) {
    super(why);
    this.damage = { why, ...(entry === undefined ? {} : { entry: entry.slice(0, ENTRY_SHOWN) }), ...more };
  }
}

/** Thrown where the zip may be good, and the import ends all the same. */
export class ImportStopped extends Error {
  override name = "ImportStopped";
  readonly reason: ImportFailure | "cancelled" | "lost";

  constructor(reason: ImportFailure | "cancelled" | "lost") {
    super(`The import ended: ${reason}`);
    this.reason = reason;
  }
}
