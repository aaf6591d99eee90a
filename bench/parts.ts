import type { Part } from "./figures.ts";

/** Parts that are about the embedded engine itself, and so are left out where another server is named. */
export const ENGINE_PARTS: Record<string, string> = {
  engine: "it measures the embedded engine itself",
};

/** The parts by name, in the order in which they run. */
export const PARTS: Record<string, () => Promise<Part>> = {
  alerts: () => import("./alerts.ts"),
  crash: () => import("./crash.ts"),
  engine: () => import("./engine.ts"),
  growth: () => import("./growth.ts"),
  hostile: () => import("./hostile.ts"),
  json: () => import("./json.ts"),
  library: () => import("./library.ts"),
  memory: () => import("./memory.ts"),
  queue: () => import("./queue.ts"),
  races: () => import("./races.ts"),
  sandbox: () => import("./sandbox.ts"),
  scaling: () => import("./scaling.ts"),
  search: () => import("./search.ts"),
  web: () => import("./web.ts"),
};
