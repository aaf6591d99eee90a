import type { MongoClient, ServerDescription, TopologyDescription } from "mongodb";

/** The driver's knowledge of the primary server. */
export type Primary = {
  /** Increases with every election that the driver has seen. */
  changes(): number;
  missingMs(): number;
  /** True if a single server takes all writes, which keeps them in order. Behind a router, each collection may be on another shard. */
  keepsOrder(): boolean;
};

const ROUTERS: ReadonlySet<string> = new Set(["Mongos", "LoadBalancer"]);
const WRITABLE: ReadonlySet<string> = new Set(["RSPrimary", "Standalone", ...ROUTERS]);

/** Watches which server is the primary. The driver updates its view before it sends a write to another server. */
export function watchPrimary(client: MongoClient, now: () => number = Date.now): Primary {
  let current: string | null = null;
  let changes = 0;
  let missingSince: number | null = now();
  let isRouted = false;
  client.on("topologyDescriptionChanged", ({ newDescription }) => {
    const server = findWritableServer(newDescription);
    if (!server) {
      missingSince ??= now();
      return;
    }
    missingSince = null;
    isRouted = ROUTERS.has(server.type);
    const identity = `${server.address} ${server.electionId ?? ""} ${server.setVersion ?? ""}`;
    if (current !== null && identity !== current) changes += 1;
    current = identity;
  });
  return {
    changes: () => changes,
    missingMs: () => (missingSince === null ? 0 : now() - missingSince),
    keepsOrder: () => !isRouted,
  };
}

function findWritableServer({ servers }: TopologyDescription): ServerDescription | undefined {
  return [...servers.values()].find(({ type }) => WRITABLE.has(type));
}
