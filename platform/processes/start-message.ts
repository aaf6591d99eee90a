import { once } from "node:events";

/** Set for a process that is started before its databases: it loads its code meanwhile. */
export const WAIT_VARIABLE = "CODESHELF_WAIT_FOR_START";

/** What the launcher sends when the databases are ready: the variables that tell where they are. */
export type StartMessage = { start: Record<string, string> };

/** Where the launcher has started this process early, waits until it may begin, and takes over the addresses it is sent. */
export async function awaitStart(): Promise<void> {
  if (process.env[WAIT_VARIABLE] !== "1" || !process.channel) return;
  const [{ start }] = (await once(process, "message")) as [StartMessage];
  delete process.env[WAIT_VARIABLE];
  Object.assign(process.env, start);
}
