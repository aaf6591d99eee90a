/** Runs again for each test file, even if files share their modules: only the first of them would get what a module registers. */
import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";
import { doTasks } from "./afterwards.ts";
import "./compile-components.ts";

afterAll(doTasks);
// Vitest ends its processes by a signal, which leaves no time to write the compile cache for the next one.
afterAll(() => flushCompileCache());
