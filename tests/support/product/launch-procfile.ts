/** `node launch-procfile.ts <Procfile>`: the launcher with processes of the tests' choice. */
import { launch } from "#db/local/launcher.ts";

await launch({ procfile: process.argv[2], verbose: true });
