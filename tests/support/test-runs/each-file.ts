/** Read anew for each test file, also where files share their modules: what a module registers, only the first of them would get. */
import { flushCompileCache } from "node:module";
import { afterAll } from "vitest";
import { doTasks } from "./afterwards.ts";
import "./compile-components.ts";

afterAll(doTasks);
// Vitest ends its processes by a signal, which leaves them no time to write what they compiled for the next one.
afterAll(() => flushCompileCache());
