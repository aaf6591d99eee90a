/**
 * Finds a directory for the engine's unix socket. The system limits socket paths to 107 bytes and some file systems support no
 * sockets; then a directory of our own in the temporary one is used. Both are closed to other users.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = "engine.sock";
/** As long as the name itself. Nobody connects to it, unlike to the name, for which processes may wait. */
const PROBE_NAME = "trying.sock";
const LONGEST_PATH_BYTES = process.platform === "linux" ? 107 : 103;

type SocketPlace = { path: string; remove(): Promise<void> };

/** Returns a path that was tested with a listening socket, or null if there is none. The socket of a killed engine is removed. */
export async function findSocketPlace(
  directory: string,
  temporaryBases = [tmpdir(), "/tmp"],
): Promise<SocketPlace | null> {
  const path = join(directory, NAME);
  await rm(path, { force: true });
  if (await supportsSockets(directory)) return { path, remove: () => rm(path, { force: true }) };
  for (const base of temporaryBases) {
    const socketPlace = await createTemporaryPlace(base);
    if (socketPlace) return socketPlace;
  }
  return null;
}

async function createTemporaryPlace(base: string): Promise<SocketPlace | null> {
  const directory = await mkdtemp(join(base, "codeshelf-")).catch(() => null);
  if (!directory) return null;
  const remove = () => rm(directory, { recursive: true, force: true });
  if (await supportsSockets(directory)) return { path: join(directory, NAME), remove };
  await remove();
  return null;
}

async function supportsSockets(directory: string): Promise<boolean> {
  const path = join(directory, PROBE_NAME);
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
