/** The engine that the files of a run share, each with a database of its own. */
import type { TestProject } from "vitest/node";
import { givenMongoDB } from "./server.ts";
import { startEngine } from "./start-engine.ts";

declare module "vitest" {
  export interface ProvidedContext {
    engineAddress: string;
  }
}

export default async function shareEngine(project: TestProject) {
  if (givenMongoDB) return;
  const engine = await startEngine();
  project.provide("engineAddress", engine.uri);
  return engine.stop;
}
