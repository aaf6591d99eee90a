/** Starts several web processes on given databases, with one administrator at each. */
import { required } from "#domain/required.ts";
import { type Caller, createCaller } from "#tests/crash/caller.ts";
import { type Databases, startWebProcess } from "#tests/support/product/web-process.ts";
import { Visitor } from "#tests/support/web.ts";

export const RACER = "77";
/** More than a file takes and less than a board takes, so that the limit per person applies. */
export const NOTES_OF_RACER = 90;

export type Webs = { callers: Caller[]; stop(): Promise<void> };

export async function startWebs(count: number, databases: Databases): Promise<Webs> {
  const variables = { ADMIN_USER_IDS: RACER, MAX_NOTES_PER_USER: String(NOTES_OF_RACER) };
  const start = () => startWebProcess(databases, variables);
  const webs = await Promise.all(Array.from({ length: count }, start));
  const racer = await new Visitor(required(webs[0]).url, () => new Date()).logIn(RACER);
  const cookie = [...racer.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    callers: webs.map(({ url }) => createCaller(url, cookie)),
    async stop() {
      await Promise.all(webs.map((web) => web.stop()));
    },
  };
}
