/** One part as a process of its own, so that it fails and sets its environment alone: `node part.ts <part> <flags>` tells its parent its figures. */
import { itemAt, required } from "#domain/required.ts";
import { PARTS } from "./parts.ts";

const figures = await (await required(PARTS[itemAt(process.argv, 2)])()).run();
process.send?.(figures, () => process.disconnect());
