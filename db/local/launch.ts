/** `npm start`. */
import { DataDirectoryInUse } from "./data-directory.ts";
import { launch } from "./launcher.ts";

try {
  await launch();
} catch (error) {
  if (!(error instanceof DataDirectoryInUse)) throw error;
  console.error(error.message);
  process.exit(1);
}
