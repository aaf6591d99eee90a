/** `npm run build`: builds `build/`, or the directory in `BUILD_DIRECTORY`. */
import { join } from "node:path";
import { readError } from "#platform/read-error.ts";
import { bundleApp } from "./bundle.ts";

const root = join(import.meta.dirname, "..", "..");

try {
  await bundleApp({ root, directory: join(root, process.env.BUILD_DIRECTORY ?? "build") });
} catch (error) {
  // esbuild's message has the place of the error; our stack would add nothing.
  console.error(readError(error).message);
  process.exit(1);
}
