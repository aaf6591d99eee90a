import { join } from "node:path";
import { lockDataDirectory, resolveDataDirectory } from "./data-directory.ts";
import { findRunningEngine, startEngine } from "./engine.ts";

type OpenStore = {
  uri: string;
  /** True if others may use it, too. */
  isShared: boolean;
  close(): Promise<void>;
};

export async function openStore(): Promise<OpenStore> {
  if (process.env.MONGODB_URI) return { uri: process.env.MONGODB_URI, isShared: true, close: async () => {} };
  return openEmbeddedStore();
}

export async function openEmbeddedStore(): Promise<OpenStore> {
  const directory = resolveDataDirectory(process.env);
  const running = await findRunningEngine(join(directory, "engine"));
  if (running) return { uri: running.uri, isShared: true, close: async () => {} };
  const lock = lockDataDirectory(directory);
  const engine = await startEngine({ directory: join(directory, "engine"), log: console.error });
  const close = async () => {
    await engine.stop();
    lock.release();
  };
  return { uri: engine.uri, isShared: false, close };
}
