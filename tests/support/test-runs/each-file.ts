/** Read anew for each test file, also where files share their modules: what a module registers, only the first of them would get. */
import { afterAll } from "vitest";
import { doTasks } from "./afterwards.ts";

afterAll(doTasks);
