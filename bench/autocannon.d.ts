/** autocannon comes without types; this is what is used of it. */
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  export type Client = EventEmitter & {
    on(event: "headers", heard: (head: { statusCode: number; headers: string[] }) => void): Client;
  };
  export type Options = {
    url: string;
    connections: number;
    duration: number;
    overallRate?: number;
    headers?: Record<string, string>;
    timeout?: number;
    setupClient?: (client: Client) => void;
  };
  export type Result = {
    latency: { p50: number; p99: number };
    requests: { average: number; total: number };
    errors: number;
    timeouts: number;
    non2xx: number;
    statusCodeStats: Record<string, { count: number }>;
  };
  export default function autocannon(options: Options): Promise<Result>;
}
