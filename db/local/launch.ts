/** `npm start`; `npm start -- --verbose` shows everything that its processes print while they start. */
import { isVerbose } from "#platform/install/start-steps.mjs";
import { DataDirectoryInUse } from "./data-directory.ts";
import { launch } from "./launcher.ts";
import { explainTakenPort } from "./start-failure.ts";

function exitWithReason(reason: string): never {
  console.error(reason);
  process.exit(1);
}

const portProblem = await explainTakenPort(process.env);
if (portProblem) exitWithReason(portProblem);
try {
  await launch({ verbose: isVerbose(process.argv) });
} catch (error) {
  if (error instanceof DataDirectoryInUse) exitWithReason(error.message);
  throw error;
}
