import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts", "tests/**/*.test.tsx"],
    globalSetup: ["tests/support/servers.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy shared machine may cost a browser its moment; what fails twice is broken. The report marks what was tried again.
    retry: process.env.CI ? 1 : 0,
    reporters: ["default"],
  },
});
