import { once } from "node:events";

/** Set for a process that starts before its databases and loads its code in that time. */
export const WAIT_VARIABLE = "CODESHELF_WAIT_FOR_START";

/** The launcher's message when the databases are ready, with the variables of their addresses. */
type StartMessage = { start: Record<string, string> };

/** A process that the launcher started early waits here for the launcher's message and applies its variables. It exits with the launcher. */
export async function awaitStartMessage(): Promise<void> {
  if (process.env[WAIT_VARIABLE] !== "1" || !process.channel) return;
  // A killed launcher sends nothing.
  const end = () => process.exit(1);
  process.once("disconnect", end);
  const [message] = await once(process, "message");
  const { start }: StartMessage = message;
  process.off("disconnect", end);
  delete process.env[WAIT_VARIABLE];
  Object.assign(process.env, start);
}
