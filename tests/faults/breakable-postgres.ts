/** PostgreSQL for this process; its n-th query fails as if the connection broke. */
import pg from "pg";
import type { Breakable } from "./breakable.ts";

type Query = (...given: unknown[]) => unknown;
type Asking = { connectionParameters?: { application_name?: string } };

/** Connections with this in their address belong to another process and never fail. */
export const ELSEWHERE = "application_name=elsewhere";

const broken = () => new Error("Connection terminated unexpectedly");

export function makePostgresBreakable(): Breakable {
  let counting = false;
  let calls = 0;
  let failing: number | null = null;
  const { prototype } = pg.Client as unknown as { prototype: { query: Query } };
  const { query } = prototype;
  prototype.query = function (this: Asking, ...given: unknown[]) {
    const isOurs = counting && this.connectionParameters?.application_name !== "elsewhere";
    if (isOurs) calls += 1;
    if (!isOurs || calls !== failing) return query.apply(this, given);
    const callback = given.findLast((argument) => typeof argument === "function") as
      | ((error: Error) => void)
      | undefined;
    if (!callback) return Promise.reject(broken());
    process.nextTick(callback, broken());
  };
  return {
    async during(which, work) {
      [counting, calls, failing] = [true, 0, which];
      try {
        return { value: await work(), calls };
      } finally {
        counting = false;
      }
    },
  };
}
