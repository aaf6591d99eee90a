import { watch } from "node:fs";
import { join } from "node:path";
import { readError } from "#platform/read-error.ts";
import { bundleApp } from "./bundle.ts";

const SOURCES = ["app", "db", "domain", "platform", "public"];
/** An editor writes several files for one change. */
const SETTLED_MS = 50;

/** Bundles for development now and after each change of a source. Each success calls `onBundled`, the first one included. */
export async function watchApp(
  root: string,
  directory: string,
  onBundled: () => Promise<void>,
): Promise<void> {
  const bundle = async () => {
    await bundleApp({ root, directory, mode: "development" });
    await onBundled();
  };
  await bundle();
  let settling: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const begin = () => {
    last = last.then(bundle).catch((error) => console.error(readError(error).message));
  };
  const onChange = () => {
    clearTimeout(settling);
    settling = setTimeout(begin, SETTLED_MS);
  };
  for (const folder of SOURCES) watch(join(root, folder), { recursive: true }, onChange).unref();
}
