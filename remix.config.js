import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import { FUTURE_FLAGS } from "./app/bundle/future-flags.js";

// What `npm run dev` runs on. Remix's classic compiler is deprecated, so this file is the Vite configuration with Remix's
// plugin. The build that is served is made by app/bundle/, which needs neither (docs/decisions/072).
export default defineConfig({
  plugins: [
    remix({
      appDirectory: "app",
      ignoredRouteFiles: ["**/*.server.ts", "**/*.css"],
      future: FUTURE_FLAGS,
    }),
  ],
});
