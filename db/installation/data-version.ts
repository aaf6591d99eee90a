import type { Collections } from "#db/collections.ts";
import type { Log } from "#platform/log.ts";

/**
 * What the documents of this release look like. It grows by one with every migration (`migrations.ts`). Data without a version
 * is from before there was one.
 */
export const DATA_VERSION = 1;

/** Code of before would misread what it finds, and damage it. */
export class DataTooNew extends Error {
  override name = "DataTooNew";

  constructor(found: number, readable = DATA_VERSION) {
    super(
      `The data has version ${found} and this release reads up to ${readable}: start the newer release again, or restore a backup from before it.`,
    );
  }
}

type Installation = Pick<Collections, "installation">;

export async function readDataVersion({ installation }: Installation): Promise<number> {
  return (await installation.findOne({ _id: "data" }))?.version ?? 0;
}

/** Only forwards: a release that is late does not take back what a newer one has written. */
export async function writeDataVersion(
  { installation }: Installation,
  version: number,
  now: Date,
): Promise<void> {
  await installation.updateOne(
    { _id: "data" },
    { $max: { version }, $set: { updated_at: now } },
    { upsert: true },
  );
}

/** Before a process reads or writes anything else: where the data is newer it says so in one line and ends with 1. */
export async function exitOnNewerData(collections: Installation, log: Log): Promise<void> {
  const version = await readDataVersion(collections);
  if (version <= DATA_VERSION) return;
  log.error("data_too_new", { message: new DataTooNew(version).message });
  process.exit(1);
}
