import { once } from "node:events";

/** Set for a process that is started before its databases: it loads its code meanwhile. */
export const WAIT_VARIABLE = "CODESHELF_WAIT_FOR_START";

/** What the launcher sends when the databases are ready: the variables that tell where they are. */
type StartMessage = { start: Record<string, string> };

/** Where the launcher has started this process early, waits until it may begin, and takes over the addresses it is sent. It ends with the launcher. */
export async function awaitStart(): Promise<void> {
  if (process.env[WAIT_VARIABLE] !== "1" || !process.channel) return;
  // A launcher that was killed sends nothing any more.
  const end = () => process.exit(1);
  process.once("disconnect", end);
  const [message] = await once(process, "message");
  const { start }: StartMessage = message;
  process.off("disconnect", end);
  delete process.env[WAIT_VARIABLE];
  Object.assign(process.env, start);
}
