import { request } from "node:http";
import { text } from "node:stream/consumers";
import { inject } from "vitest";
import type { ServerName } from "./servers.ts";

/** Where this run's server answers; the first to ask waits for its start. */
export function serverAddress(name: ServerName): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: inject("testServers"), path: `/${name}` }, async (response) => {
      const answer = await text(response);
      if (response.statusCode === 200) resolve(answer);
      else reject(new Error(answer));
    });
    asked.once("error", reject).end();
  });
}
