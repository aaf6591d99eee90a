import { join } from "node:path";
import express, { type RequestHandler, Router } from "express";

const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;

/** Built assets carry a hash in their name and never change; files of `public/` keep theirs and are asked for again. */
export function staticFiles(clientDirectory: string): RequestHandler {
  const router = Router();
  const options = { index: false, redirect: false, dotfiles: "ignore" as const };
  router.use(
    "/assets",
    express.static(join(clientDirectory, "assets"), {
      ...options,
      immutable: true,
      maxAge: YEAR_SECONDS * 1000,
      fallthrough: false,
    }),
  );
  router.use(express.static(clientDirectory, { ...options, maxAge: HOUR_SECONDS * 1000 }));
  return router;
}
