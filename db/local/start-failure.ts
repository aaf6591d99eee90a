/** Explains what a person can do about a failed start, if known; otherwise returns the message. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { Environment } from "#db/local/processes/server-process.ts";
import { readError } from "#platform/read-error.ts";

const DISK_FULL = /\bENOSPC\b|no space left on device|disk is full/i;
/** The record in which a process reports that its data was moved, is incomplete or is newer than its code. */
const UNUSABLE_DATA = /^\{.*"event":"data_\w+".*\}$/m;

export function explainStartFailure(message: string, dataDirectory: string): string {
  if (DISK_FULL.test(message))
    return `The disk is full: free some space for ${dataDirectory} and the build, and start again.`;
  const [record] = UNUSABLE_DATA.exec(message) ?? [];
  return record ? JSON.parse(record).message : message;
}

const DEFAULT_PORT = 3000;

/** Returns why the web process could not listen on its address, or null. Checked before anything is created. */
export async function explainTakenPort(env: Environment): Promise<string | null> {
  const port = Number(env.PORT || DEFAULT_PORT);
  if (!Number.isInteger(port) || port <= 0 || port > 65_535) return null;
  const host = env.HOST || (env.MONGODB_URI ? "0.0.0.0" : "127.0.0.1");
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
    return null;
  } catch (error) {
    const reason = PORT_REASONS[readError(error).code ?? ""];
    return reason ? `Port ${port} ${reason}: choose another, as in PORT=${port + 1} npm start.` : null;
  } finally {
    server.close();
  }
}

const PORT_REASONS: Record<string, string> = {
  EADDRINUSE: "is already in use",
  EACCES: "may not be used by this account",
};
