import { fileURLToPath } from "node:url";

/** The checkout of this code. */
export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
