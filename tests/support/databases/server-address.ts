import { request } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import type { ServerName } from "./servers.ts";

/** Where this run's server answers; the first to ask waits for its start. */
export const serverAddress = (name: ServerName): Promise<string> => ask("GET", name);

/** Leaves something for the last test file of the run. */
export const leaveBehind = (value: unknown): Promise<string> =>
  ask("POST", "left-behind", JSON.stringify(value));

/** What all test files so far left behind. */
export async function readLeftBehind<T>(): Promise<T[]> {
  const values: string[] = JSON.parse(await ask("GET", "left-behind"));
  return values.map((value) => JSON.parse(value));
}

/** Names of databases that a file has emptied, for the next one. */
export const freeDatabases = {
  /** Empty where there is none. */
  take: (): Promise<string> => ask("GET", "free-database"),
  add: (name: string): Promise<string> => ask("POST", "free-database", name),
};

/** What the shared product has printed so far. */
export const readProductLines = async (): Promise<string[]> => JSON.parse(await ask("GET", "product-lines"));

function ask(method: string, path: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      // A connection that is kept may be closed by the other side while it is written to.
      { socketPath: inject("testServers"), path: `/${path}`, method, agent: false },
      async (response) => {
        const answer = await text(response);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(answer));
      },
    );
    asked.once("error", reject).end(body);
  });
}
