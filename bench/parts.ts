import type { Part } from "./figures.ts";

/** Parts that are about the embedded engine itself, and so are left out where another server is named. */
export const ENGINE_PARTS: Record<string, string> = {
  backup: "it copies the file of the embedded engine",
  engine: "it measures the embedded engine itself",
};

/** The parts by name, in the order in which they run. */
export const PARTS: Record<string, () => Promise<Part>> = {
  alerts: () => import("./alerts.ts"),
  backup: () => import("./backup.ts"),
  clock: () => import("./clock.ts"),
  crash: () => import("./crash.ts"),
  dav: () => import("./dav.ts"),
  engine: () => import("./engine.ts"),
  folders: () => import("./folders.ts"),
  fuzz: () => import("./fuzz.ts"),
  growth: () => import("./growth.ts"),
  json: () => import("./json.ts"),
  library: () => import("./library.ts"),
  load: () => import("./under-load.ts"),
  memory: () => import("./memory.ts"),
  notes: () => import("./notes.ts"),
  observability: () => import("./observability.ts"),
  queue: () => import("./queue.ts"),
  races: () => import("./races.ts"),
  repos: () => import("./repos.ts"),
  sandbox: () => import("./sandbox.ts"),
  scaling: () => import("./scaling.ts"),
  search: () => import("./search.ts"),
  tasks: () => import("./tasks.ts"),
  web: () => import("./web.ts"),
};
