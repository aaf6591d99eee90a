import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import { createPages, type Pages } from "#app/http/answers/pages.ts";
import { staticFiles } from "#app/http/answers/static-files.ts";
import type { Env } from "#platform/env/env.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

type OpenPages = { pages: () => Promise<Pages>; assets: RequestHandler };

/** The built routes; or, in development, the sources themselves, compiled as they change. */
export async function openPages(env: Pick<Env, "development">): Promise<OpenPages> {
  return env.development ? fromSource() : fromBuild();
}

async function fromBuild(): Promise<OpenPages> {
  // React and Remix choose their production code by this variable when they are first loaded.
  process.env.NODE_ENV = "production";
  const build: ServerBuild = await import(pathToFileURL(join(ROOT, "build", "server", "index.js")).href);
  const pages = createPages(build, "production");
  return { pages: async () => pages, assets: staticFiles(join(ROOT, "build", "client")) };
}

/** A change to anything a page is made of reloads the pages that are open. */
async function fromSource(): Promise<OpenPages> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    configFile: join(ROOT, "remix.config.js"),
    server: { middlewareMode: true },
  });
  vite.watcher.on("change", () => vite.ws.send({ type: "full-reload" }));
  // Vite does not know what a module exports; this one is made by Remix.
  const load = () => vite.ssrLoadModule("virtual:remix/server-build") as Promise<ServerBuild>;
  return { pages: async () => createPages(await load(), "development"), assets: vite.middlewares };
}
