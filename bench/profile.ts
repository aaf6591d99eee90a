/** Where the processor's time went, from V8's own profile: self time by the part of the program it was spent in. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { itemAt, required } from "#domain/required.ts";

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

interface Share {
  part: string;
  percent: number;
}

function findPart({ functionName, url }: { functionName: string; url: string }): string {
  if (functionName === "(idle)") return "idle";
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url.startsWith("node:")) return "node itself";
  const [, packageName] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (packageName) return packageName;
  if (url.includes("/build/server/")) return "pages (bundle)";
  const [, room] = /\/(app|db|domain|platform)\//.exec(url) ?? [];
  return room ?? "native code";
}

/** The largest shares of the busy time of the process that wrote its profile into the directory. */
export function summarise(directory: string, most: number): Share[] {
  const file = itemAt(
    readdirSync(directory).filter((name) => name.endsWith(".cpuprofile")),
    0,
  );
  const profile: Profile = JSON.parse(readFileSync(join(directory, file), "utf8"));
  const parts = new Map(profile.nodes.map(({ id, callFrame }) => [id, findPart(callFrame)]));
  const spent = new Map<string, number>();
  profile.samples.forEach((node, i) => {
    const part = required(parts.get(node));
    spent.set(part, (spent.get(part) ?? 0) + itemAt(profile.timeDeltas, i));
  });
  spent.delete("idle");
  const busy = [...spent.values()].reduce((sum, time) => sum + time, 0);
  return [...spent]
    .map(([part, time]) => ({ part, percent: (100 * time) / busy }))
    .sort((a, b) => b.percent - a.percent)
    .slice(0, most);
}
