import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler, Response } from "express";
import { createPages, type Pages } from "#app/web/answers/pages.ts";
import { serveStaticFiles } from "#app/web/answers/static-files.ts";
import { required } from "#domain/required.ts";
import type { Env } from "#platform/env/env.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The address of the stream of changes in development. */
const CHANGES = "/development/changes";

type OpenPages = { pages: () => Promise<Pages>; assets: RequestHandler };

export async function loadOrWatchPages(env: Pick<Env, "development">): Promise<OpenPages> {
  return env.development ? buildAndWatch() : loadBuild();
}

async function loadBuild(): Promise<OpenPages> {
  // React and Remix choose their production code by this variable when they are first loaded.
  process.env.NODE_ENV = "production";
  const build: ServerBuild = await import(pathToFileURL(join(ROOT, "build", "server", "index.js")).href);
  const pages = createPages(build, "production");
  return { pages: async () => pages, assets: serveStaticFiles(join(ROOT, "build", "client")) };
}

/** Builds as for production, and builds and reloads the open pages after each change of a source. */
async function buildAndWatch(): Promise<OpenPages> {
  const { watchApp } = await import("#app/bundle/watch.ts");
  const directory = join(ROOT, "build.development");
  const readers = new Set<Response>();
  let current: { pages: Pages; assets: RequestHandler } | undefined;
  await watchApp(ROOT, directory, async () => {
    // Node caches modules by URL, so each build gets its own.
    const module = `${pathToFileURL(join(directory, "server", "index.js")).href}?${Date.now()}`;
    const assets = serveStaticFiles(join(directory, "client"));
    current = { pages: createPages(await import(module), "development"), assets };
    for (const reader of readers) reader.write("data: changed\n\n");
  });
  const { pages, assets } = required(current, "build");
  return {
    pages: async () => current?.pages ?? pages,
    assets: (req, res, next) => {
      if (req.path !== CHANGES) return (current?.assets ?? assets)(req, res, next);
      res.setHeader("Content-Type", "text/event-stream").flushHeaders();
      readers.add(res);
      res.on("close", () => readers.delete(res));
    },
  };
}
