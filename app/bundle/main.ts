/** `npm run build`: makes `build/`, or the directory that `BUILD_DIRECTORY` names, beside the sources. */
import { join } from "node:path";
import { readError } from "#platform/read-error.ts";
import { bundleApp } from "./bundle.ts";

const root = join(import.meta.dirname, "..", "..");

try {
  await bundleApp({ root, directory: join(root, process.env.BUILD_DIRECTORY ?? "build") });
} catch (error) {
  // What esbuild refuses is said in its own words, with the place; a stack of ours would add nothing.
  console.error(readError(error).message);
  process.exit(1);
}
