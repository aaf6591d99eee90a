import { request } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import type { ServerName } from "./servers.ts";

/** The address of this run's server; the first caller waits for its start. */
export const serverAddress = (name: ServerName): Promise<string> => ask("GET", name);

/** Stores a value for the last test file of the run. */
export const leaveBehind = (value: unknown): Promise<string> =>
  ask("POST", "left-behind", JSON.stringify(value));

export async function readLeftBehind<T>(): Promise<T[]> {
  const values: string[] = JSON.parse(await ask("GET", "left-behind"));
  return values.map((value) => JSON.parse(value));
}

/** The names of emptied databases, for the next test files. */
export const freeDatabases = {
  /** An empty text if no database is free. */
  take: (): Promise<string> => ask("GET", "free-database"),
  add: (name: string): Promise<string> => ask("POST", "free-database", name),
};

export const readProductLines = async (): Promise<string[]> => JSON.parse(await ask("GET", "product-lines"));

function ask(method: string, path: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      // The server may close a reused connection while the request is written.
      { socketPath: inject("testServers"), path: `/${path}`, method, agent: false },
      async (response) => {
        const answer = await text(response);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(answer));
      },
    );
    outgoing.once("error", reject).end(body);
  });
}
