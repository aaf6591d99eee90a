/** A steady load over kept connections, from this process: each connection asks again as soon as it is answered. */

import { Agent, get } from "node:http";
import { percentile } from "./measure.ts";

interface Load {
  /** The address of the n-th request. */
  url: (n: number) => string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
}

function ask(agent: Agent, url: string, headers: Load["headers"]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.on("end", resolve).on("error", reject).resume();
    });
    request.on("error", reject);
  });
}

export async function run(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const samples: number[] = [];
  let asked = 0;
  let answered = 0;
  const warmUntil = performance.now() + 1_000;
  const until = warmUntil + load.seconds * 1_000;
  const connection = async (): Promise<void> => {
    for (;;) {
      const started = performance.now();
      if (started >= until) return;
      await ask(agent, load.url(asked++), load.headers);
      answered++;
      if (started >= warmUntil) samples.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
  agent.destroy();
  samples.sort((a, b) => a - b);
  return {
    answered,
    perSecond: samples.length / load.seconds,
    p50: percentile(samples, 0.5),
    p99: percentile(samples, 0.99),
  };
}
