/**
 * Where the engine's unix socket can live. The system cuts socket paths at 107 bytes and some file systems hold no
 * sockets at all; a directory of our own below the temporary one serves then. Both are closed to other users.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = "engine.sock";
/** As long as the name itself. Nobody connects to it, as a waiting process would to the name. */
const TRIED_NAME = "trying.sock";
const LONGEST_PATH_BYTES = process.platform === "linux" ? 107 : 103;

type SocketPlace = { path: string; remove(): Promise<void> };

/** A place that was seen to hold a listening socket, or null where none does. What a killed engine left there is removed. */
export async function findSocketPlace(
  directory: string,
  temporaryBases = [tmpdir(), "/tmp"],
): Promise<SocketPlace | null> {
  const path = join(directory, NAME);
  await rm(path, { force: true });
  if (await holdsSockets(directory)) return { path, remove: () => rm(path, { force: true }) };
  for (const base of temporaryBases) {
    const place = await findTemporaryPlace(base);
    if (place) return place;
  }
  return null;
}

async function findTemporaryPlace(base: string): Promise<SocketPlace | null> {
  const directory = await mkdtemp(join(base, "codeshelf-")).catch(() => null);
  if (!directory) return null;
  const remove = () => rm(directory, { recursive: true, force: true });
  if (await holdsSockets(directory)) return { path: join(directory, NAME), remove };
  await remove();
  return null;
}

async function holdsSockets(directory: string): Promise<boolean> {
  const path = join(directory, TRIED_NAME);
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES) return false;
  await rm(path, { force: true });
  const server = createServer();
  try {
    server.listen(path);
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
