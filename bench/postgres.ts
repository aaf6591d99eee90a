import * as local from "#db/local/postgres/postgres.ts";
import { leash } from "#tests/support/programs/leash.ts";

/** PostgreSQL for a part, which ends with it even where the part is interrupted. */
export async function startPostgres(options: Parameters<typeof local.startPostgres>[0]) {
  const postgres = await local.startPostgres(options);
  const takeOff = leash(postgres.pid);
  return { ...postgres, stop: () => postgres.stop().finally(takeOff) };
}
