/**
 * The baselines as a process of their own: `node web-baseline.ts <page.html>` serves the same page as the product,
 * at /bare as bytes by Express, at /react rendered by React's streaming renderer for every request.
 */

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import express from "express";
import { renderToPipeableStream } from "react-dom/server";
import { required } from "#domain/required.ts";
import { parseTree } from "./html-tree.ts";

const html = readFileSync(required(process.argv[2], "file to serve"), "utf8");
const page = parseTree(html);
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get("/bare", (_request, response) => {
  response.type("html").send(html);
});
app.get("/react", (_request, response) => {
  const { pipe } = renderToPipeableStream(page, {
    onShellReady() {
      response.type("html");
      pipe(response);
    },
  });
});
const server = app.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once("disconnect", () => process.exit(0));
