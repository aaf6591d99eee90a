/** The document store of a part: an engine of its own, synced to disk, or a database of its own on the MongoDB that `--mongodb` names. */
import { join } from "node:path";
import { startEngine } from "#db/local/engine.ts";
import { givenMongoDB, newGivenDatabase } from "#tests/support/databases/given-mongodb.ts";

type Documents = {
  uri: string;
  /** The process of the engine, for what it costs; a given server may be on another machine. */
  enginePid: number | null;
  /** Nothing is left of it. */
  stop(): Promise<void>;
};

/** An engine keeps its files below the directory, which its owner removes. */
export async function startDocuments(directory: string): Promise<Documents> {
  if (givenMongoDB) {
    const { uri, drop } = newGivenDatabase(givenMongoDB, "part");
    return { uri, enginePid: null, stop: drop };
  }
  const { uri, pid, stop } = await startEngine({ directory: join(directory, "engine"), log: () => {} });
  return { uri, enginePid: pid, stop };
}
