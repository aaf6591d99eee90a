/** `npm run bench -- <part>…` runs the named parts, or all of them. Figures are ratios to a baseline of the same run. */
const PARTS: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  engine: () => import("./engine.ts"),
  fuzz: () => import("./fuzz.ts"),
  library: () => import("./library.ts"),
  notes: () => import("./notes.ts"),
  observability: () => import("./observability.ts"),
  queue: () => import("./queue.ts"),
  repos: () => import("./repos.ts"),
  sandbox: () => import("./sandbox.ts"),
  scaling: () => import("./scaling.ts"),
  web: () => import("./web.ts"),
};

const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(", ")}. There are: ${Object.keys(PARTS).join(", ")}`);
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(PARTS)) await (await PARTS[name]()).run();

export {};
