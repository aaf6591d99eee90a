import { fileURLToPath } from "node:url";

/** The checkout this code runs from. */
export const PROJECT_ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
