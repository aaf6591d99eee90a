import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";

// Remix's classic compiler is deprecated, so this file is the Vite configuration with Remix's plugin.
export default defineConfig({
  plugins: [
    remix({
      appDirectory: "app",
      // The launcher builds beside the build in use.
      buildDirectory: process.env.BUILD_DIRECTORY ?? "build",
      ignoredRouteFiles: ["**/*.server.ts", "**/*.css"],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        // Its manifest endpoint can be made to do unbounded work; off, it does not exist.
        v3_lazyRouteDiscovery: false,
        // Costs a fifth to a third more CPU for each page and gives these pages nothing.
        v3_singleFetch: false,
      },
    }),
  ],
  build: {
    // Source maps of routes contain their server code.
    sourcemap: false,
    assetsInlineLimit: 0,
    // A chunk is fetched when it is asked for; links made by script would need the page's nonce.
    modulePreload: false,
  },
});
