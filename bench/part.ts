/** One part as a process of its own, so that it fails and sets its environment alone: `node part.ts <part> <flags>` tells its parent its figures. */
import { PARTS } from "./parts.ts";

const figures = await (await PARTS[process.argv[2]!]!()).run();
process.send?.(figures, () => process.disconnect());
