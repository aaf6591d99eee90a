import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import { FUTURE_FLAGS } from "./app/bundle/future-flags.js";

// What Remix's own tools read. Its classic compiler is deprecated, so this is a Vite configuration with Remix's plugin. The builds that
// are served are made by app/bundle/, which needs neither (docs/decisions/072).
export default defineConfig({
  plugins: [
    remix({
      appDirectory: "app",
      buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
      ignoredRouteFiles: ["**/*.server.ts", "**/*.css"],
      future: FUTURE_FLAGS,
    }),
  ],
});
