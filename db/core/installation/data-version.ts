import type { Collections } from "#db/collections.ts";
import type { ArrivingDoc, DataVersionDoc, WritingDoc } from "#db/core/installation/documents.ts";
import type { Log } from "#platform/log.ts";

/**
 * The version of this release's documents. It increases with every migration (`migrations.ts`). Data without a version is older
 * than versions.
 */
export const DATA_VERSION = 4;

/** Older code would misread newer data and damage it. */
export class DataTooNew extends Error {
  override name = "DataTooNew";

  constructor(dataVersion: number, readable = DATA_VERSION) {
    super(
      `The data has version ${dataVersion} and this release reads up to ${readable}: start the newer release again, or restore a backup from before it.`,
    );
  }
}

type Installation = Pick<Collections, "installation">;

export async function readDataVersion({ installation }: Installation): Promise<number> {
  return (await installation.findOne<DataVersionDoc>({ _id: "data" }))?.version ?? 0;
}

/** Only increases, so that a late release does not undo the version of a newer one. */
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

/** Called before anything else is read or written. If the data is newer, incomplete or moved elsewhere, it logs that and exits with 1. */
export async function exitOnUnusableData(collections: Installation, log: Log): Promise<void> {
  const problem = await findDataProblem(collections);
  if (!problem) return;
  log.error(problem.event, { message: problem.message });
  process.exit(1);
}

type DataProblem = { event: string; message: string };

export async function findDataProblem(collections: Installation): Promise<DataProblem | null> {
  const { installation } = collections;
  const version = await readDataVersion(collections);
  if (version > DATA_VERSION) return { event: "data_too_new", message: new DataTooNew(version).message };
  if (await installation.findOne<ArrivingDoc>({ _id: "arriving" }))
    return {
      event: "data_half_moved",
      message:
        "A move into this database is not finished: run the same `npm run move` again, and it goes on.",
    };
  const writing = await installation.findOne<WritingDoc>({ _id: "writing" });
  if (!writing?.moved_at) return null;
  return { event: "data_moved", message: describeMove(writing.moved_to) };
}

export const describeMove = (movedTo: string | null): string =>
  `This library was moved to ${movedTo}: start it there. \`npm run move -- --cancel\` makes this the one that is used again.`;
